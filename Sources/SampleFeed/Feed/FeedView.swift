import PlaybackMetricsClient
import SwiftUI

/// The feed: one clip a page, and a page of settings.
public struct FeedView: View {
    @State private var model: FeedModel
    @State private var position: String?
    @State private var showsSettings = false

    /// A view of a feed.
    public init(model: FeedModel) {
        _model = State(initialValue: model)
    }

    /// The pages.
    public var body: some View {
        ScrollView(.vertical) {
            LazyVStack(spacing: 0) {
                ForEach(model.clips) { clip in
                    ClipPage(model: model, clip: clip)
                        .containerRelativeFrame([.horizontal, .vertical])
                        .id(clip.id)
                }
            }
            .scrollTargetLayout()
        }
        .scrollTargetBehavior(.paging)
        .scrollPosition(id: $position)
        .ignoresSafeArea()
        .overlay(alignment: .topTrailing) {
            Button("Settings") { showsSettings = true }
                .padding()
        }
        .sheet(isPresented: $showsSettings) { SettingsPage(model: model) }
        .task(id: position) {
            let clip = model.clips.first { $0.id == position } ?? model.clips.first
            if let clip { await model.show(clip) }
        }
    }
}

/// One clip.
private struct ClipPage: View {
    let model: FeedModel
    let clip: Clip

    var body: some View {
        if model.current == clip, let player = model.kept?.player {
            PlayerPage(player: player) { model.present($0) }
                .onTapGesture { model.tap() }
        } else {
            Color.black
        }
    }
}

/// How players are kept, and when clips begin by themselves.
private struct SettingsPage: View {
    @Bindable var model: FeedModel
    @State private var lifecycle = PlayerLifecycle.reusePool

    var body: some View {
        Form {
            Picker("Players", selection: $lifecycle) {
                ForEach(PlayerLifecycle.allCases, id: \.self) { Text($0.rawValue).tag($0) }
            }
            Picker("Autoplay", selection: $model.policy) {
                ForEach(AutoplayPolicy.allCases, id: \.self) { Text($0.rawValue).tag($0) }
            }
        }
        .onAppear { lifecycle = model.lifecycle }
        .onChange(of: lifecycle) { Task { await model.keep(lifecycle) } }
    }
}
