internal import Foundation

/// Where the programs are that a measurement starts.
struct PeerTools {
    /// The folder of the peers' sources.
    var sources: String
    /// The folder of Python's programs in a virtual environment; nil leaves the Python peers out.
    var python: String?
    /// Where data directories are made.
    var workFolder: String?

    /// The program of this project that lies beside this one.
    func program(_ name: String) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw PeerFailure(description: "\(path) is missing: swift build -c release --product \(name)")
        }
        return path
    }
}

/// A program that a measurement needs did not do what it should.
struct PeerFailure: Error, CustomStringConvertible {
    let description: String
}
