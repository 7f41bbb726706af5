import AVKit
import PlaybackMetricsClient
import SwiftUI

/// The system's player: its controls, full screen and Picture in Picture.
struct PlayerPage: UIViewControllerRepresentable {
    let player: AVPlayer
    let present: (PlaybackPresentation) -> Void

    func makeUIViewController(context: Context) -> AVPlayerViewController {
        let controller = AVPlayerViewController()
        controller.delegate = context.coordinator
        controller.allowsPictureInPicturePlayback = true
        controller.canStartPictureInPictureAutomaticallyFromInline = true
        present(.inline)
        return controller
    }

    func updateUIViewController(_ controller: AVPlayerViewController, context: Context) {
        if controller.player !== player { controller.player = player }
        context.coordinator.present = present
    }

    func makeCoordinator() -> Coordinator { Coordinator() }

    /// Hears from the system where the video is shown.
    final class Coordinator: NSObject, AVPlayerViewControllerDelegate {
        var present: (PlaybackPresentation) -> Void = { _ in }

        func playerViewControllerDidStartPictureInPicture(_ controller: AVPlayerViewController) {
            present(.pip)
        }

        func playerViewControllerDidStopPictureInPicture(_ controller: AVPlayerViewController) {
            present(.inline)
        }

        func playerViewController(
            _ controller: AVPlayerViewController,
            willBeginFullScreenPresentationWithAnimationCoordinator coordinator:
                any UIViewControllerTransitionCoordinator
        ) {
            present(.fullscreen)
        }

        func playerViewController(
            _ controller: AVPlayerViewController,
            willEndFullScreenPresentationWithAnimationCoordinator coordinator: any UIViewControllerTransitionCoordinator
        ) {
            present(.inline)
        }
    }
}
