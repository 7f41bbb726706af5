internal import CBuild

/// The version of the program.
enum ProgramVersion {
    static let text = "0.1.0"

    /// With the commit that it was built from, where `make` has built it.
    static var full: String {
        let commit = String(cString: qoe_build_commit())
        return commit.isEmpty ? text : "\(text) (commit \(commit))"
    }
}
