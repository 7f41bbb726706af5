import Foundation
import Testing
import TestSupport

@Suite("A server that is killed")
struct KillTests {
    @Test("twenty times under load loses no acknowledged play, and stores none twice")
    func killedUnderLoad() throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        let load = PlayLoad(eventsPerBatch: 6)
        var random = SeededGenerator(seed: 20)
        for _ in 0..<20 {
            let server = try ServerProcess(data: data)
            let pid = server.pid
            load.run(port: server.port, connections: 4, until: Int.random(in: 1...600, using: &random)) {
                kill(pid, SIGKILL)
            }
            #expect(try server.waitForExit() == SIGKILL)
        }
        try expectKeptAfterStart(load.acknowledged, in: data, sent: load.sent)
    }
}
