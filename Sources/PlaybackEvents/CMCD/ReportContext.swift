/// What the address says to which a player sends its reports: it holds for the play that begins with such a report.
package struct ReportContext: Sendable, Hashable {
    // Texts after the contract's rules for `context`; empty without one.

    package var cdn: [UInt8] = []
    package var cdnRegion: [UInt8] = []
    package var network: [UInt8] = []
    package var source: [UInt8] = []
    package var appVersion: [UInt8] = []
    package var player: [UInt8] = []
    /// A JSON object of the tags, keys in byte order, no white space; empty without any.
    package var tags: [UInt8] = []
    /// The interval of the player's regular reports in ms, 0 for none; nil where the address does not say.
    package var heartbeatMs: Int64?

    /// Players' own interval, in ms.
    package static let usualHeartbeatMs: Int64 = 30_000
    package static let heartbeats: ClosedRange<Int64> = 0...86_400_000

    package init() {}

    /// Takes the parameters of an address, decoded. `key` and `CMCD` are not its business.
    ///
    /// - Returns: the context, and how many parameters were ignored: unknown ones, and values that the contract refuses.
    package static func parse(_ parameters: [(name: String, value: String)]) -> (context: ReportContext, ignored: Int) {
        var context = ReportContext()
        var tags: [String: [UInt8]] = [:]
        var ignored = 0
        for (name, value) in parameters where name != "key" && name != "CMCD" {
            let bytes = Array(value.utf8)
            if bytes.isEmpty { continue }
            if name == "heartbeat" {
                context.heartbeatMs = milliseconds(bytes)
                if context.heartbeatMs == nil { ignored += 1 }
            } else if name.hasPrefix("tag."), isTagKey(name.utf8.dropFirst(4)), isText(bytes),
                tags.count < ContractLimits.tags || tags[String(name.dropFirst(4))] != nil
            {
                tags[String(name.dropFirst(4))] = bytes
            } else if let field = field(name), isText(bytes) {
                context[keyPath: field] = bytes
            } else {
                ignored += 1
            }
        }
        context.tags = object(tags)
        return (context, ignored)
    }

    static func field(_ name: String) -> WritableKeyPath<ReportContext, [UInt8]>? {
        switch name {
        case "cdn": \.cdn
        case "cdnRegion": \.cdnRegion
        case "network": \.network
        case "source": \.source
        case "appVersion": \.appVersion
        case "player": \.player
        default: nil
        }
    }

    /// Whether a text may stand in the contract's `context`.
    static func isText(_ bytes: [UInt8]) -> Bool {
        (1...TextRule.tag.longest).contains(bytes.count) && bytes[0] != UInt8(ascii: "(")
            && UTF8Sequence.isValid(bytes.span.bytes) && !UTF8Sequence.hasControl(bytes.span.bytes)
    }

    private static func isTagKey(_ key: Substring.UTF8View) -> Bool {
        guard (1...32).contains(key.count) else { return false }
        return key.enumerated().allSatisfy { position, byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (position > 0 && (byte == UInt8(ascii: "_") || byte &- UInt8(ascii: "0") <= 9))
        }
    }

    /// Seconds with up to three decimals, in ms.
    private static func milliseconds(_ seconds: [UInt8]) -> Int64? {
        let parts = seconds.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), (1...8).contains(parts[0].count) else { return nil }
        let decimals = parts.count == 2 ? Array(parts[1]) : [UInt8(ascii: "0")]
        guard (1...3).contains(decimals.count) else { return nil }
        var value: Int64 = 0
        for digit in parts[0] + decimals + [UInt8](repeating: UInt8(ascii: "0"), count: 3 - decimals.count) {
            guard digit &- UInt8(ascii: "0") <= 9 else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return heartbeats.contains(value) ? value : nil
    }

    private static func object(_ tags: [String: [UInt8]]) -> [UInt8] {
        if tags.isEmpty { return [] }
        var object: [UInt8] = []
        for (key, value) in tags.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            object.append(UInt8(ascii: object.isEmpty ? "{" : ","))
            object.append(atMost: 64 + LineWriter.longest(text: key.utf8.count + value.count)) { writer in
                writer.put(text: Array(key.utf8).span.bytes)
                writer.put(UInt8(ascii: ":"))
                writer.put(text: value.span.bytes)
            }
        }
        object.append(UInt8(ascii: "}"))
        return object
    }
}
