import Dispatch
import Ingest
import TestSupport
import Testing

@Suite("The log's queue")
struct LogQueueTests {
    /// Standard error whose reader hangs until it is let go.
    private final class Reader: Sendable {
        let written = RunningServer.LogLines()
        let gate = DispatchSemaphore(value: 0)

        func write(_ line: String) {
            gate.wait()
            written.add(line)
        }

        func letGo() { for _ in 0..<1_000 { gate.signal() } }
    }

    @Test("keeps nobody waiting for a reader that hangs, drops what is too much, and says so when it reads again")
    func hangingReader() throws {
        let reader = Reader()
        let queue = LogQueue(mostBytes: 100, now: { 0 }, write: reader.write)
        for number in 10..<50 { queue.add("line \(number)...") }
        #expect(queue.dropped == 30)
        #expect(reader.written.text.isEmpty)
        queue.flush(patienceMs: 1)
        reader.letGo()
        queue.flush(patienceMs: 10_000)
        let lines = reader.written.text.split(separator: "\n")
        #expect(lines.dropLast() == (10..<20).map { "line \($0)..." }[...])
        #expect(lines.last?.contains(#""level":"warning","event":"log lines dropped","lines":"30""#) == true)
        queue.add("another")
        queue.flush(patienceMs: 10_000)
        #expect(reader.written.text.hasSuffix("\nanother"))
        #expect(queue.dropped == 30)
    }
}
