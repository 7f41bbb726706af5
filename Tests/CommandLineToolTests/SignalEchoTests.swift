import CommandLineTool
import Glibc
import Testing

@Suite("A signal's echo")
struct SignalEchoTests {
    @Test("is taken with it, and a later signal is not")
    func absorbed() async {
        await #expect(processExitsWith: .success) {
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, SIGUSR1)
            // The thread that runs this is the one that waits, and the signals are sent to it alone.
            pthread_sigmask(SIG_BLOCK, &set, nil)
            pthread_kill(pthread_self(), SIGUSR1)
            var number: Int32 = 0
            sigwait(&set, &number)
            pthread_kill(pthread_self(), SIGUSR1)
            SignalEcho.absorb(set)
            var pending = sigset_t()
            sigpending(&pending)
            #expect(sigismember(&pending, SIGUSR1) == 0)
            pthread_kill(pthread_self(), SIGUSR1)
            sigpending(&pending)
            #expect(sigismember(&pending, SIGUSR1) == 1)
        }
    }
}
