internal import Glibc

/// How much of a request's body is still to come.
enum HTTPBody {
    case length(Int)
    case chunks(ChunkDecoder)

    init(_ framing: HTTPFraming) {
        switch framing {
        case .none: self = .length(0)
        case .length(let length): self = .length(length)
        case .chunked: self = .chunks(ChunkDecoder())
        }
    }

    var isOver: Bool {
        switch self {
        case .length(let left): left == 0
        case .chunks(let decoder): decoder.isOver
        }
    }
}

extension HTTPConnection {
    /// Reads a body and takes its room in the budget as it arrives, never for bytes that are only announced.
    mutating func read(
        _ body: inout HTTPBody, of head: HTTPRequestHead, limit: Int, into room: inout BudgetRoom
    ) throws(Interruption) -> [UInt8] {
        if body.isOver { return [] }
        var most = limit
        if case .length(let length) = body {
            guard length <= limit else { throw .fault(.bodyTooLarge(limit: limit)) }
            room.note(size: length)
            // Better refused now than half-way.
            guard room.hasRoom(for: length) else { throw .fault(.noRoom) }
            most = length
        }
        if head.expectsContinue { try sendContinue() }
        var bytes: [UInt8] = []
        while let part = try nextPart(of: &body, limit: limit, after: bytes.count) {
            // The body is past this piece, so the buffer must be, too, whatever happens.
            defer { use(part.upperBound) }
            guard part.count <= limit - bytes.count else { throw .fault(.bodyTooLarge(limit: limit)) }
            let needed = bytes.count + part.count
            if needed > room.count {
                room.note(size: needed)
                // Twice as much keeps copying linear; where that finds no room, as much as there is.
                let ample = min(max(needed, 2 * room.count, ReceiveBuffer.usualSize), most)
                guard room.take(ample - room.count) || room.take(needed - room.count) else { throw .fault(.noRoom) }
                bytes.reserveCapacity(room.count)
            }
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer.bytes[part]))
        }
        return bytes
    }

    /// Reads until there is a piece of the body, which then lies there in the buffer; nil when the body is over.
    ///
    /// - Throws: also when a chunk begins that would make the body longer than `limit` after so many bytes.
    mutating func nextPart(
        of body: inout HTTPBody, limit: Int = .max, after count: Int = 0
    ) throws(Interruption) -> Range<Int>? {
        while !body.isOver {
            if buffer.isEmpty { try receiveMore() }
            switch body {
            case .length(let left):
                let part = min(left, buffer.count)
                body = .length(left - part)
                return 0..<part
            case .chunks(var decoder):
                let step: ChunkDecoder.Step
                do { step = try decoder.next(buffer.bytes) } catch { throw .fault(error) }
                body = .chunks(decoder)
                if decoder.announced > limit - count { throw .fault(.bodyTooLarge(limit: limit)) }
                switch step {
                case .framing(let count), .end(let count): use(count)
                case .data(let after, let count): return after..<after + count
                }
            }
        }
        return nil
    }
}
