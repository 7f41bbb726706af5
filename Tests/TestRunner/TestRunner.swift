import Testing

/// Runs the tests that are compiled into a program without the package manager.
@main
enum TestRunner {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
