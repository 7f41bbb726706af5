import Foundation

/// What the process can know of the app and the device that it runs in: versions and the model, nothing that would tell
/// one device from another of its kind.
struct DeviceFacts: Sendable {
    var appVersion: PlaybackLabel?
    var osVersion: PlaybackLabel?
    var deviceModel: PlaybackLabel?

    /// Read once: none of it changes while the process runs.
    static let current = DeviceFacts(
        appVersion: (Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String)
            .flatMap(PlaybackLabel.init),
        osVersion: version(ProcessInfo.processInfo.operatingSystemVersion),
        deviceModel: machine().flatMap(PlaybackLabel.init)
    )

    private static func version(_ version: OperatingSystemVersion) -> PlaybackLabel? {
        let patch = version.patchVersion == 0 ? "" : ".\(version.patchVersion)"
        return PlaybackLabel("\(version.majorVersion).\(version.minorVersion)\(patch)")
    }

    /// The kernel's name of the machine: `iPhone15,2` on a phone, the architecture elsewhere.
    private static func machine() -> String? {
        var names = utsname()
        guard uname(&names) == 0 else { return nil }
        return withUnsafeBytes(of: &names.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
