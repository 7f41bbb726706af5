internal import Archive
internal import PlayFolding
internal import PlayStore
internal import PlaybackEvents

/// What names a line of a log for ever: its request, and its place in it; an account has a name of its own.
struct LineName: Hashable {
    /// The 128 random bits of the request, with the place mixed in.
    private let bits: Identifier128

    private init(_ requestId: Identifier128, _ position: Int64) {
        bits = Identifier128(
            high: requestId.high, low: requestId.low &+ UInt64(bitPattern: position) &* 0x9E37_79B9_7F4A_7C15)
    }

    init(_ entry: LoggedPlays.Entry) {
        switch entry.kind {
        case .play, .erased: self.init(entry.requestId, Int64(entry.index))
        case .account: self.init(entry.requestId, -1)
        }
    }

    init(_ line: QuarantineLine) {
        self.init(line.requestId, line.index)
    }
}

/// What one request has left in a log of another data directory.
struct ArchivedRequest {
    struct Line {
        var bytes: [UInt8]
        var name: LineName
        /// The event's place in its request; nil for an account.
        var index: Int32?
        /// Of somebody who was erased here.
        var isErased = false
    }

    var requestId: Identifier128
    /// Ms since 1970.
    var receivedAt: Int64
    /// The number of its first line in the file.
    var number: Int
    var lines: [Line] = []
    /// Whether every line of it could be read.
    var isWhole = true

    /// Some of the lines, each ended by LF.
    func text(_ taken: [Line]) -> [UInt8] {
        let isAll = isWhole && taken.count == lines.count
        return taken.flatMap { (isAll ? $0.bytes : Self.placed($0)) + [0x0A] }
    }

    /// A play that does not say its place has the number of its line among those of its request, so it has to say it when
    /// others are left out.
    private static func placed(_ line: Line) -> [UInt8] {
        guard let index = line.index, line.bytes.last == UInt8(ascii: "}") else { return line.bytes }
        let placed = line.bytes.dropLast() + Array(",\"index\":\(index)}".utf8)
        // One that says it already would say it twice, which is no line.
        var lines = LoggedPlays()
        let isLine = (try? lines.append(line: placed.span.bytes)) != nil
        return isLine ? Array(placed) : line.bytes
    }
}

/// The requests of one file of a log, in its order.
final class ArchivedRequests {
    let source: ImportSource
    let log: LogKind
    private let tombstones: Tombstones
    private let onFault: (_ line: Int, _ reason: String) -> Void
    /// The request to be handed out next; nil at the end.
    private(set) var head: ArchivedRequest?
    /// Why the file can't be read on, once all before it has been handed out.
    private(set) var fault: ImportError?
    /// The one after it, as far as it has been read.
    private var following: ArchivedRequest?
    private var plays = LoggedPlays()
    /// A line of the request under way could not be read.
    private var isBroken = false

    init(
        _ source: ImportSource, log: LogKind, tombstones: Tombstones,
        onFault: @escaping (_ line: Int, _ reason: String) -> Void
    ) {
        self.source = source
        self.log = log
        self.tombstones = tombstones
        self.onFault = onFault
        advance()
    }

    /// Reads on until the head is the next request.
    func advance() {
        head = nil
        while fault == nil {
            do throws(ImportError) {
                guard let (number, bytes) = try source.next(limit: Importer.lineLimit) else { break }
                guard let bytes else {
                    refuse(number, "it is longer than \(Importer.lineLimit) bytes")
                    continue
                }
                if !ImportForm.isBlank(bytes), take(bytes, number) { return }
            } catch {
                fault = error
            }
        }
        (head, following) = (following, nil)
    }

    /// - Returns: whether the line begins another request, so that the one before it is whole.
    private func take(_ bytes: [UInt8], _ number: Int) -> Bool {
        let parsed: (request: Identifier128, receivedAt: Int64, line: ArchivedRequest.Line)
        do throws(LineError) {
            guard let line = try log == .plays ? play(bytes) : rejected(bytes) else { return false }
            parsed = line
        } catch {
            refuse(number, "\(error.reason) (byte \(error.offset))")
            return false
        }
        if following?.requestId == parsed.request {
            following?.lines.append(parsed.line)
            return false
        }
        let before = following
        var request = ArchivedRequest(requestId: parsed.request, receivedAt: parsed.receivedAt, number: number)
        request.lines = [parsed.line]
        // What could not be read between two requests may have been of either.
        request.isWhole = !isBroken
        isBroken = false
        following = request
        head = before
        return before != nil
    }

    private func refuse(_ number: Int, _ reason: String) {
        following?.isWhole = false
        isBroken = true
        onFault(number, reason)
    }

    private func play(_ bytes: [UInt8]) throws(LineError) -> (Identifier128, Int64, ArchivedRequest.Line) {
        try plays.append(line: bytes.span.bytes)
        if plays.text.count > 1 << 20, plays.entries.last?.requestId != following?.requestId {
            plays.removeAll(keepingCapacity: true)
            try plays.append(line: bytes.span.bytes)
        }
        guard let entry = plays.entries.last else { throw LineError("It is none.", at: 0) }
        var line = ArchivedRequest.Line(bytes: bytes, name: LineName(entry))
        if case .account = entry.kind {} else { line.index = entry.index }
        if case .play(let play) = entry.kind {
            let id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
            line.isErased = tombstones.has(play, id: id, in: plays.text)
        }
        return (entry.requestId, entry.receivedAt, line)
    }

    /// - Returns: nil for what a server has set aside itself: it is in its archive, too.
    private func rejected(_ bytes: [UInt8]) throws(LineError) -> (Identifier128, Int64, ArchivedRequest.Line)? {
        let line = try QuarantineLine.parse(bytes.span.bytes)
        guard Rejection.Code(rawValue: line.code) != nil || line.code == CMCDError.code else { return nil }
        // It says its place in any case.
        let isErased = line.isErased(tombstones)
        return (line.requestId, line.receivedAt, .init(bytes: bytes, name: LineName(line), isErased: isErased))
    }
}
