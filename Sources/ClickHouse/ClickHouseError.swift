internal import struct Foundation.Data

/// Why a request to ClickHouse came to nothing.
package struct ClickHouseError: Error, Sendable, Equatable, CustomStringConvertible {
    /// ClickHouse's own number of the error (`system.errors`), nil when no server of it said one.
    package var code: Int?
    /// One line that says what is wrong and, where that is known, what would be right.
    package var description: String
    /// It may pass by itself: the same request is worth another try.
    package var isTransient: Bool

    package init(code: Int? = nil, _ description: String, isTransient: Bool) {
        self.code = code
        self.description = description
        self.isTransient = isTransient
    }

    /// A host that gave no response.
    static func silent(_ host: ClickHouseURL.Host, _ reason: String) -> ClickHouseError {
        ClickHouseError("ClickHouse at \(host) can't be reached: \(reason)", isTransient: true)
    }

    /// What is to be said when every host failed: the server that spoke, else all that were silent.
    static func together(_ faults: [ClickHouseError]) -> ClickHouseError {
        if let said = faults.first(where: { $0.code != nil }) { return said }
        return ClickHouseError(faults.map(\.description).joined(separator: "; "), isTransient: true)
    }

    /// What a server answered instead of rows.
    ///
    /// - Parameters:
    ///   - status: the response's status code.
    ///   - header: `X-ClickHouse-Exception-Code`, which newer servers send.
    ///   - body: `Code: 81, e.displayText() = DB::Exception: …` in some form.
    init(_ host: ClickHouseURL.Host, status: Int, header: String?, body: Data, url: ClickHouseURL) {
        let text = String(decoding: body.prefix(1 << 16), as: UTF8.self)
        // 516: AUTHENTICATION_FAILED.
        let code = header.flatMap { Int($0) } ?? Self.code(in: text) ?? (status == 401 ? 516 : nil)
        let said = Self.message(in: text)
        self.init(
            code: code,
            Self.explanation(code, said, url) ?? "ClickHouse at \(host) says: \(Self.label(code, status))\(said)",
            isTransient: code.map(Self.transientCodes.contains) ?? (status >= 500 || status == 429))
    }

    private static func label(_ code: Int?, _ status: Int) -> String {
        code.map { "error \($0), " } ?? "HTTP \(status), "
    }

    /// The number behind `Code: `.
    static func code(in text: String) -> Int? {
        guard let start = text.firstRange(of: "Code: ")?.upperBound else { return nil }
        return Int(text[start...].prefix { $0.isASCII && $0.isNumber })
    }

    /// The message alone, on one line of bounded length, without the version and the repetitions around it.
    static func message(in text: String) -> String {
        var rest = text[...]
        for start in ["e.displayText() = ", "DB::Exception: ", "DB::NetException: "] {
            if let range = rest.firstRange(of: start) { rest = rest[range.upperBound...] }
        }
        for end in [", e.what() =", " (version ", "Stack trace:"] {
            if let range = rest.firstRange(of: end) { rest = rest[..<range.lowerBound] }
        }
        let words = rest.split { $0.isNewline || $0 == "\t" }.joined(separator: " ").split(separator: " ")
        return String(words.joined(separator: " ").prefix(500))
    }
}

extension ClickHouseError {
    /// Faults of the moment: the network, a replica that is away, too much work at once, no room.
    static let transientCodes: Set<Int> = [
        3,  // UNEXPECTED_END_OF_FILE
        32,  // ATTEMPT_TO_READ_AFTER_EOF: a shard died in the middle
        33,  // CANNOT_READ_ALL_DATA
        95,  // CANNOT_READ_FROM_SOCKET
        96,  // CANNOT_WRITE_TO_SOCKET
        102,  // UNEXPECTED_PACKET_FROM_SERVER
        159,  // TIMEOUT_EXCEEDED
        198,  // DNS_ERROR
        202,  // TOO_MANY_SIMULTANEOUS_QUERIES
        203,  // NO_FREE_CONNECTION
        209,  // SOCKET_TIMEOUT
        210,  // NETWORK_ERROR
        225,  // NO_ZOOKEEPER
        236,  // ABORTED
        241,  // MEMORY_LIMIT_EXCEEDED
        242,  // TABLE_IS_READ_ONLY
        243,  // NOT_ENOUGH_SPACE
        252,  // TOO_MANY_PARTS
        254,  // NO_ACTIVE_REPLICAS
        279,  // ALL_CONNECTION_TRIES_FAILED
        285,  // TOO_FEW_LIVE_REPLICAS
        286,  // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
        289,  // REPLICA_IS_NOT_IN_QUORUM
        319,  // UNKNOWN_STATUS_OF_INSERT
        369,  // ALL_REPLICAS_ARE_STALE
        394,  // QUERY_WAS_CANCELLED
        425,  // SYSTEM_ERROR
        499,  // S3_ERROR
        745,  // SERVER_OVERLOADED
        999,  // KEEPER_EXCEPTION
    ]

    private static let missingShardCodes: Set<Int> = [32, 95, 96, 102, 209, 210, 279, 198, 203, 369]

    /// The query was stopped for its time, its rows or its memory.
    package var isOutOfBounds: Bool { [158, 159, 160, 241, 396].contains(code) }

    /// Another host of the same cluster may see what this one does not.
    var mayPassElsewhere: Bool {
        guard isTransient else { return false }
        guard let code else { return true }
        return Self.missingShardCodes.contains(code) || [202, 225, 242, 254, 285, 319, 745, 999].contains(code)
    }

    /// The line for errors that an operator can do something about.
    static func explanation(_ code: Int?, _ said: String, _ url: ClickHouseURL) -> String? {
        let user = url.user ?? "default"
        switch code {
        case 192, 193, 194, 516:
            return "ClickHouse does not let the user \(user) in: its name is ?user= of --store, its password"
                + " QOE_CLICKHOUSE_PASSWORD"
        case 497:
            return "ClickHouse does not let the user \(user) do that (\(said))"
        case 164:
            return
                "the ClickHouse user \(user) may not change settings or write (\(said)): readonly=2 is enough for reports,"
                + " 0 for everything else"
        case 81:
            return "ClickHouse has no database \(url.database): 'qoe store create --store …' makes it and its tables"
        case 60:
            return "ClickHouse's database \(url.database) has not the tables of this program (\(said)):"
                + " 'qoe store create --store …' makes them"
        case 170, 701:
            return "ClickHouse knows no cluster \(url.cluster ?? ""): <remote_servers> of its configuration names them"
        case 158, 307:
            return
                "a query reads more than it may (\(url.rows) rows of a report): ask for fewer days, or set rows= in --store"
        case 396:
            return "the report's rows are more than this program holds in memory: ask for fewer days"
        case 159, 160:
            return
                "a query takes longer than it may (\(url.seconds) seconds of a report): ask for fewer days or groups, or set"
                + " seconds= in --store"
        case let code? where missingShardCodes.contains(code):
            return "a part of the ClickHouse cluster does not answer (\(said)): nothing is counted without it"
        default: return nil
        }
    }
}
