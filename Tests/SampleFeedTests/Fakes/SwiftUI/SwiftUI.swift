// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Just the part of SwiftUI that the sample app and the overlay use, written from Apple's documentation, so that its views can be type-checked
// where the framework does not exist. Nothing here runs.

@_exported import Foundation
@_exported import Observation
public import UIKit

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> Anything { Anything() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<A: View, B: View>(_ a: A, _ b: B) -> Anything { Anything() }
    public static func buildEither<Content: View>(first: Content) -> Anything { Anything() }
    public static func buildEither<Content: View>(second: Content) -> Anything { Anything() }
}

/// Whatever a modifier or a container makes.
@MainActor
public struct Anything: View {
    nonisolated init() {}
    public var body: Never { fatalError() }
}

extension View {
    public func id<ID: Hashable>(_ id: ID) -> some View { Anything() }
    public func tag<Value: Hashable>(_ value: Value) -> some View { Anything() }
    public func padding() -> some View { Anything() }
    public func padding(_ length: Double) -> some View { Anything() }
    public func font(_ font: Font?) -> some View { Anything() }
    public func background(_ color: Color) -> some View { Anything() }
    public func foregroundStyle(_ color: Color) -> some View { Anything() }
    public func opacity(_ opacity: Double) -> some View { Anything() }
    public func allowsHitTesting(_ enabled: Bool) -> some View { Anything() }
    public func ignoresSafeArea() -> some View { Anything() }
    public func containerRelativeFrame(_ axes: Axis.Set) -> some View { Anything() }
    public func scrollTargetLayout() -> some View { Anything() }
    public func scrollTargetBehavior(_ behavior: PagingScrollTargetBehavior) -> some View { Anything() }
    public func scrollPosition<ID: Hashable>(id: Binding<ID?>) -> some View { Anything() }
    public func overlay<Content: View>(alignment: Alignment, @ViewBuilder content: () -> Content) -> some View {
        Anything()
    }
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View { Anything() }
    public func task<ID: Equatable>(id: ID, _ action: @escaping @MainActor @Sendable () async -> Void) -> some View {
        Anything()
    }
    public func onTapGesture(perform action: @escaping () -> Void) -> some View { Anything() }
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { Anything() }
    public func onChange<Value: Equatable>(of value: Value, _ action: @escaping () -> Void) -> some View { Anything() }
}

public enum Axis: Sendable {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }
}

public struct Alignment: Sendable {
    public static let topTrailing = Alignment()
}

public struct PagingScrollTargetBehavior: Sendable {
    public static var paging: PagingScrollTargetBehavior { PagingScrollTargetBehavior() }
}

public struct ScrollView<Content: View>: View {
    public init(_ axes: Axis.Set, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct LazyVStack<Content: View>: View {
    public init(spacing: Double?, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct Form<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public var body: Never { fatalError() }

    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable, ID == Data.Element.ID {}

    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {}
}

public struct Picker<Value: Hashable, Content: View>: View {
    public init(_ title: String, selection: Binding<Value>, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct TimelineView<Schedule: TimelineSchedule, Content: View>: View {
    public struct Context {}
    public init(_ schedule: Schedule, @ViewBuilder content: @escaping (Context) -> Content) {}
    public var body: Never { fatalError() }
}

public protocol TimelineSchedule {}

public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    public static func periodic(from start: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule { .init() }
}

public struct Font: Hashable, Sendable {
    public static let caption = Font()
}

public struct Button: View {
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
    public var body: Never { fatalError() }
}

public struct Text: View {
    public init(_ text: String) {}
    public var body: Never { fatalError() }
}

public struct Color: View {
    public static let black = Color()
    public static let white = Color()
    public var body: Never { fatalError() }
    nonisolated init() {}
}

@propertyWrapper
public struct State<Value> {
    public init(initialValue: Value) { initial = initialValue }
    public init(wrappedValue: Value) { initial = wrappedValue }
    public var wrappedValue: Value {
        get { initial }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { Binding() }
    private let initial: Value
}

@propertyWrapper
public struct Binding<Value> {
    public init() {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
}

@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding()
    }
}

@MainActor @preconcurrency
public protocol Scene {}

@resultBuilder
public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
    @MainActor public var coordinator: Representable.Coordinator { fatalError() }
}

@MainActor @preconcurrency
public protocol UIViewControllerRepresentable: View where Body == Never {
    associatedtype UIViewControllerType: UIViewController
    associatedtype Coordinator = Void
    typealias Context = UIViewControllerRepresentableContext<Self>
    func makeUIViewController(context: Context) -> UIViewControllerType
    func updateUIViewController(_ controller: UIViewControllerType, context: Context)
    func makeCoordinator() -> Coordinator
}

extension UIViewControllerRepresentable {
    public var body: Never { fatalError() }
}
