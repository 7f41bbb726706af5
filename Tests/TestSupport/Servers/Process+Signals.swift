package import Foundation

extension Process {
    /// Runs with no signal blocked, as from a shell: a test's threads block most, and what they start would inherit that.
    package func runWithSignals() throws {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
