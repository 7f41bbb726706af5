import Foundation

extension ServerProcess {
    package static let eventsPath = "/v1/playback-events"

    /// Posts a body on a connection of its own.
    @discardableResult
    package func post(
        _ body: String, to path: String = eventsPath, fields: [String: String] = [:]
    ) throws -> LoopbackConnection.Response {
        try post(Array(body.utf8), to: path, fields: fields)
    }

    @discardableResult
    package func post(
        _ body: [UInt8], to path: String = eventsPath, fields: [String: String] = [:]
    ) throws -> LoopbackConnection.Response {
        try connect().post(path, body, fields: fields)
    }

    /// What the admin listener answers.
    package func admin(_ path: String) throws -> LoopbackConnection.Response {
        try LoopbackConnection(port: adminPort).get(path)
    }

    /// Every value of `/metrics`, by its whole name with labels.
    package func metrics() throws -> [String: Double] {
        var values: [String: Double] = [:]
        for line in try admin("/metrics").text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            values[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return values
    }

    /// The log's objects, one a line.
    package func logged() throws -> [[String: String]] {
        try log.split(separator: "\n").map { line in
            let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let object = json as? [String: String] else { throw Failure(description: "a log line: \(line)") }
            return object
        }
    }

    /// How often the log has an event.
    package func count(logged event: String) throws -> Int {
        try logged().count { $0["event"] == event }
    }
}
