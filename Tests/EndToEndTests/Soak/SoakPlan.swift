import Foundation

/// How long a soak takes, and where it says what it found.
enum SoakPlan {
    /// 0 for none.
    static let minutes = ProcessInfo.processInfo.environment["QOE_SOAK_MINUTES"].flatMap { Double($0) } ?? 0

    static var seconds: Double { minutes * 60 }

    /// One line for whoever waits.
    static func report(_ text: String) {
        FileHandle.standardError.write(Data("soak: \(text)\n".utf8))
    }
}
