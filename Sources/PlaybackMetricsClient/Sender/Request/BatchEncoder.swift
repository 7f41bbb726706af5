import Foundation

/// Writes the body of one request.
enum BatchEncoder {
    /// Whether the figures are ones that a play can have; only such a summary is written.
    static func canEncode(_ summary: PlaybackSummary) -> Bool {
        ContractRange.stalls.contains(summary.stalls)
            && ContractRange.watchedMs.contains(summary.watchedMs)
            && (0...summary.watchedMs).contains(summary.stalledMs)
            && (summary.stalls > 0 || summary.stalledMs == 0)
            && ContractRange.startupMs.allows(summary.startupMs)
            && ContractRange.startupMs.allows(summary.waitedMs)
            && ContractRange.startupMs.allows(summary.accessLogStartupMs)
            && ContractRange.stalls.allows(summary.playerStalls)
            && ContractRange.watchedMs.allows(summary.playerStalledMs)
            && ContractRange.attempt.contains(summary.attempt)
            && ContractRange.bytes.allows(summary.bytes)
            && ContractRange.memoryBytes.allows(summary.memoryBytes)
    }

    /// The body.
    ///
    /// - Parameters:
    ///   - batch: the plays, and the sender report.
    ///   - now: the sender's clock, from which the age of each play is told.
    /// - Complexity: O(bytes written).
    static func body(of batch: SummaryQueue.Batch, at now: Duration) -> Data {
        var json = JSONWriter()
        json.beginObject()
        json.key("schemaVersion")
        json.number(1)
        switch batch.plays {
        case .own(let entries):
            let shared = SharedValues(of: entries.map(\.summary.context))
            write(shared, to: &json)
            write(batch, to: &json)
            json.key("events")
            json.beginArray()
            for entry in entries {
                write(entry.summary, age: age(since: entry.recordedAt, at: now), shared: shared, to: &json)
            }
        case .earlier(let plays):
            // Each has its own circumstances with it.
            write(SharedValues(of: []), to: &json)
            write(batch, to: &json)
            json.key("events")
            json.beginArray()
            for play in plays { write(play, at: now, to: &json) }
        }
        json.endArray()
        json.endObject()
        return Data(json.bytes)
    }

    /// A request without a play, which an endpoint answers like any other.
    static let empty = Data(#"{"schemaVersion":1,"events":[]}"#.utf8)

    /// One event with everything but its age, for the spool.
    static func write(_ summary: PlaybackSummary, to json: inout JSONWriter) {
        write(summary, age: nil, shared: SharedValues(of: []), to: &json)
    }

    private static func write(_ shared: SharedValues, to json: inout JSONWriter) {
        json.key("context")
        json.beginObject()
        for field in ContextField.allCases { json.field(field.name, shared.value(of: field)) }
        json.field("tags", shared.tags)
        json.endObject()
    }

    private static func write(_ batch: SummaryQueue.Batch, to json: inout JSONWriter) {
        guard let report = batch.report else { return }
        json.key("sender")
        json.beginObject()
        json.field("senderId", batch.senderId.uuidString)
        json.field("sequence", Int64(batch.sequence))
        json.field("made", Int64(report.made))
        json.field("dropped", Int64(report.dropped))
        json.field("rejected", Int64(report.rejected))
        json.endObject()
    }

    private static func write(_ play: KeptPlay, at now: Duration, to json: inout JSONWriter) {
        json.beginObject()
        json.fields(of: play.event)
        if let endedAt = play.endedAt {
            json.field("endedAt", endedAt)
        } else {
            json.field("ageMs", age(since: play.recordedAt, at: now))
        }
        json.endObject()
    }

    private static func age(since recordedAt: Duration, at now: Duration) -> Int64 {
        ContractRange.age.clamp((now - recordedAt).wholeMilliseconds)
    }

    private static func write(
        _ summary: PlaybackSummary, age: Int64?, shared: SharedValues, to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("videoId", summary.videoId.text)
        json.field("stalls", Int64(summary.stalls))
        json.field("stalledMs", Int64(summary.stalledMs))
        json.field("watchedMs", Int64(summary.watchedMs))
        json.field("startupMs", summary.startupMs.map(Int64.init))
        json.field("avgBitrate", wholeBitrate(summary.avgBitrate))
        json.field("error", summary.error)
        json.field("playId", summary.playId.uuidString)
        json.field("ageMs", age)
        json.field("bytes", summary.bytes)
        json.field("memoryBytes", summary.memoryBytes)
        json.field("waitedMs", summary.waitedMs.map(Int64.init))
        json.field("accessLogStartupMs", summary.accessLogStartupMs.map(Int64.init))
        json.field("attempt", summary.attempt == 1 ? nil : Int64(summary.attempt))
        json.field("playerStalls", summary.playerStalls.map(Int64.init))
        json.field("playerStalledMs", summary.playerStalledMs.map(Int64.init))
        for field in ContextField.allCases where shared.value(of: field) == nil {
            json.field(field.name, field.value(in: summary.context))
        }
        json.field("tags", summary.context.tags.pairs.filter { !shared.tags.contains($0) })
        json.endObject()
    }

    /// Half up to the whole bit/s; what is no number, or none that a bitrate can be, is not known.
    private static func wholeBitrate(_ value: Double?) -> Int64? {
        guard let value, value > 0, ContractRange.bitrate.contains(value) else { return nil }
        let whole = Int64((value + 0.5).rounded(.down))
        return whole > 0 ? whole : nil
    }
}

extension ClosedRange {
    /// Whether the value, when there is one, lies in the range.
    fileprivate func allows(_ value: Bound?) -> Bool {
        value.map(contains) ?? true
    }
}

extension JSONWriter {
    fileprivate mutating func field(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    fileprivate mutating func field(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        key(name)
        number(value)
    }

    fileprivate mutating func field(_ name: StaticString, _ error: PlaybackError?) {
        guard let error else { return }
        key(name)
        switch error.origin {
        case .word(let word): string(word.text)
        case .code(let domain, let code):
            beginObject()
            field("domain", domain.text)
            field("code", Int64(code))
            endObject()
        }
    }

    fileprivate mutating func field(_ name: StaticString, _ tags: [PlaybackTags.Pair]) {
        guard !tags.isEmpty else { return }
        key(name)
        beginObject()
        for tag in tags {
            key(tag.name.text)
            string(tag.value.text)
        }
        endObject()
    }
}

/// The values that all plays of a batch have in common: they are written once, in the request's `context`.
private struct SharedValues {
    /// One for every field of ``ContextField``, `nil` where the plays differ or one has none.
    private let values: [String?]
    let tags: [PlaybackTags.Pair]

    init(of contexts: [PlaybackContext]) {
        guard let first = contexts.first else {
            values = ContextField.allCases.map { _ in nil }
            tags = []
            return
        }
        values = ContextField.allCases.map { field in
            let value = field.value(in: first)
            return value != nil && contexts.allSatisfy { field.value(in: $0) == value } ? value : nil
        }
        tags = first.tags.pairs.filter { pair in contexts.allSatisfy { $0.tags[pair.name] == pair.value } }
    }

    func value(of field: ContextField) -> String? { values[field.rawValue] }
}

/// The fields that a request's `context` may give for all its plays, in the order in which they are written.
private enum ContextField: Int, CaseIterable {
    case sessionId, cdn, cdnRegion, network, source, appVersion, osVersion, deviceModel, player

    var name: StaticString {
        switch self {
        case .sessionId: "sessionId"
        case .cdn: "cdn"
        case .cdnRegion: "cdnRegion"
        case .network: "network"
        case .source: "source"
        case .appVersion: "appVersion"
        case .osVersion: "osVersion"
        case .deviceModel: "deviceModel"
        case .player: "player"
        }
    }

    func value(in context: PlaybackContext) -> String? {
        switch self {
        case .sessionId: context.session?.uuid.uuidString
        case .cdn: context.cdn?.text
        case .cdnRegion: context.cdnRegion?.text
        case .network: context.network?.rawValue
        case .source: context.source?.rawValue
        case .appVersion: context.appVersion?.text
        case .osVersion: context.osVersion?.text
        case .deviceModel: context.deviceModel?.text
        case .player: context.player?.text
        }
    }
}
