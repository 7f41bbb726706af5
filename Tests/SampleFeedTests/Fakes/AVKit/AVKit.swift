// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Just the part of AVKit that the sample app uses, written from Apple's documentation. Nothing here runs.

@_exported import AVFoundation
@_exported import UIKit

@MainActor
public protocol UIViewControllerTransitionCoordinator: AnyObject {}

@MainActor
open class AVPlayerViewController: UIViewController {
    public weak var delegate: (any AVPlayerViewControllerDelegate)?
    public var player: AVPlayer?
    public var allowsPictureInPicturePlayback = true
    public var canStartPictureInPictureAutomaticallyFromInline = false
}

@MainActor
public protocol AVPlayerViewControllerDelegate: NSObject {
    func playerViewControllerDidStartPictureInPicture(_ controller: AVPlayerViewController)
    func playerViewControllerDidStopPictureInPicture(_ controller: AVPlayerViewController)
    func playerViewController(
        _ controller: AVPlayerViewController,
        willBeginFullScreenPresentationWithAnimationCoordinator coordinator: any UIViewControllerTransitionCoordinator)
    func playerViewController(
        _ controller: AVPlayerViewController,
        willEndFullScreenPresentationWithAnimationCoordinator coordinator: any UIViewControllerTransitionCoordinator)
}
