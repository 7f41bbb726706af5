import Foundation
import Testing
import TestSupport

/// What every failure must leave: each acknowledged play in the database once, nothing twice, a sound file.
func expectKept(
    _ acknowledged: [String], in data: String, sent: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let stored = try StoredPlays(data: data)
    let counts = try stored.counts()
    #expect(acknowledged.filter { counts[$0] != 1 } == [], sourceLocation: sourceLocation)
    #expect(counts.values.allSatisfy { $0 == 1 }, sourceLocation: sourceLocation)
    if let sent { #expect(counts.count <= sent, sourceLocation: sourceLocation) }
    #expect(try stored.integrity() == "ok", sourceLocation: sourceLocation)
}

/// The same after a start that lets the database catch up.
func expectKeptAfterStart(
    _ acknowledged: [String], in data: String, sent: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let server = try ServerProcess(data: data)
    try server.waitForFollower()
    #expect(server.stop() == 0, sourceLocation: sourceLocation)
    try expectKept(acknowledged, in: data, sent: sent, sourceLocation: sourceLocation)
}
