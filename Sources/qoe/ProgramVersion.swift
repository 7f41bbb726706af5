/// The version of the program.
enum ProgramVersion {
    static let text = "0.1.0"
}
