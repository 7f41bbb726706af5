/// Whose plays were erased, as keyed hashes: who reads them learns no name, and what comes again is known by its own.
package struct Tombstones: Sendable, Equatable {
    /// The key of the hashes, a data directory's own.
    package let secret: Identifier128
    package private(set) var hashes: [ErasureTarget.Kind: Set<Identifier128>] = [:]
    private let hash: SipHash

    package init(secret: Identifier128) {
        self.secret = secret
        hash = SipHash(key: secret)
    }

    /// Those of one target, under a key that nobody knows.
    package init(_ target: ErasureTarget) {
        self.init(secret: Identifier128(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)))
        insert(target)
    }

    package var isEmpty: Bool { hashes.isEmpty }

    package static func == (one: Tombstones, other: Tombstones) -> Bool {
        one.secret == other.secret && one.hashes == other.hashes
    }

    /// - Returns: whether it was not there.
    @discardableResult
    package mutating func insert(_ target: ErasureTarget) -> Bool {
        insert(hash(target.kind.mark, target.bytes), of: target.kind)
    }

    @discardableResult
    package mutating func insert(_ hash: Identifier128, of kind: ErasureTarget.Kind) -> Bool {
        hashes[kind, default: []].insert(hash).inserted
    }

    package func contains(_ target: ErasureTarget) -> Bool { has(target.kind, target.bytes) }

    // MARK: Asking

    private func has(_ kind: ErasureTarget.Kind, _ bytes: @autoclosure () -> some Sequence<UInt8>) -> Bool {
        guard let known = hashes[kind] else { return false }
        return known.contains(hash(kind.mark, bytes()))
    }

    package func has(session: some Sequence<UInt8>) -> Bool { has(.session, session) }

    package func has(play id: Identifier128) -> Bool { has(.play, id.bytes) }

    package func has(tag name: [UInt8], _ value: [UInt8]) -> Bool {
        has(.tag, ErasureTarget.tag(name: name, value: value).bytes)
    }

    /// - Parameter tags: a JSON object of tags, as plays carry it; empty without any.
    package func has(anyOf tags: some Collection<UInt8>) -> Bool {
        guard hashes[.tag] != nil, !tags.isEmpty else { return false }
        let bytes = Array(tags)
        let span = bytes.span.bytes
        var scanner = JSONScanner()
        var entries: [TagEntry] = []
        // What can't be read has the tags before.
        try? scanner.takeTags(into: &entries, level: 1, in: span)
        func text(_ slice: TextSlice) -> [UInt8] {
            (0..<Int(slice.count)).map { scanner.byte(of: slice, $0, in: span) }
        }
        return entries.contains { has(tag: text($0.key), text($0.value)) }
    }

    /// Whether a play was erased.
    ///
    /// - Parameters:
    ///   - id: the play's own identifier, or the one made for it; nil where it has none yet.
    ///   - text: what the play's slices refer to.
    package func has(_ play: Play, id: Identifier128?, in text: [UInt8]) -> Bool {
        if isEmpty { return false }
        if let id, has(play: id) { return true }
        if !play.sessionId.isAbsent, has(session: text[play.sessionId.range]) { return true }
        return has(anyOf: text[play.tags.range])
    }

    /// Whether anything in bytes that need be no JSON is the name of somebody who was erased.
    package func has(anyTextOf bytes: some Collection<UInt8>) -> Bool {
        if isEmpty { return false }
        let asksForPlays = hashes[.play] != nil
        return LooseTexts.contains(in: Array(bytes)) { key, text in
            if has(session: text) { return true }
            if asksForPlays, let id = Identifier128(uuid: text.span.bytes), has(play: id) { return true }
            return key.map { has(tag: $0, text) } ?? false
        }
    }
}

extension Tombstones {
    /// Takes the erased plays out of a request, and its rejected events that name somebody who was erased.
    ///
    /// - Returns: how many were taken out.
    package func remove(from batch: inout PlayBatch, body: [UInt8]) -> Int {
        if isEmpty { return 0 }
        let kept = batch.plays.indices.filter { !has(batch.plays[$0], id: batch.plays[$0].playId, in: batch.text) }
        var removed = batch.plays.count - kept.count
        if removed > 0 {
            // A play's place among the others is no more its place in the request.
            batch.indices = kept.map { $0 < batch.indices.count ? batch.indices[$0] : Int32(truncatingIfNeeded: $0) }
            batch.plays = kept.map { batch.plays[$0] }
        }
        guard !batch.rejections.isEmpty else { return removed }
        if let context = batch.context, has(anyTextOf: body[context]) {
            removed += batch.rejections.count
            batch.rejections = []
        }
        let before = batch.rejections.count
        batch.rejections.removeAll { has(anyTextOf: body[$0.bytes]) }
        return removed + before - batch.rejections.count
    }

    /// Takes the reports of erased sessions, and those of erased tags, out of a line.
    ///
    /// - Returns: how many were taken out.
    package func remove(from line: inout ReportLine) -> Int {
        if isEmpty { return 0 }
        let before = line.reports.count
        if has(anyOf: line.context.tags) {
            line.reports = []
            line.context = ReportContext()
        } else {
            line.reports.removeAll { has(session: $0.sid) }
        }
        return before - line.reports.count
    }
}
