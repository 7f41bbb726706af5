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
    /// Reads a body, its room in the budget first: all of it where its length is known, piece by piece where not.
    ///
    /// - Parameter taken: what was taken from the budget, which the caller gives back.
    mutating func read(
        _ body: inout HTTPBody, of head: HTTPRequestHead, limit: Int, taken: inout Int
    ) throws(Interruption) -> [UInt8] {
        if body.isOver { return [] }
        if case .length(let length) = body {
            guard length <= limit else { throw .fault(.bodyTooLarge(limit: limit)) }
            guard configuration.budget.take(length) else { throw .fault(.noRoom) }
            taken = length
        }
        if head.expectsContinue { try sendContinue() }
        switch body {
        case .length(let length): return try readPlain(length)
        case .chunks: return try readChunks(&body, limit: limit, taken: &taken)
        }
    }

    private mutating func readPlain(_ length: Int) throws(Interruption) -> [UInt8] {
        var interruption: Interruption?
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { memory, count in
            let memory = UnsafeMutableRawBufferPointer(memory)
            let part = min(length, buffer.count)
            memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer.bytes[..<part]))
            use(part)
            count = part
            do throws(Interruption) {
                while count < length {
                    count += try receive(into: UnsafeMutableRawBufferPointer(rebasing: memory[count..<length]))
                }
            } catch {
                interruption = error
            }
        }
        if let interruption { throw interruption }
        return bytes
    }

    /// Reads past the buffer, straight to where the bytes belong.
    private mutating func receive(into memory: UnsafeMutableRawBufferPointer) throws(Interruption) -> Int {
        var count = Socket.receive(connection.socket, into: memory, waits: false)
        if count == -Int(EAGAIN) {
            guard Socket.waitToReceive(connection.socket, until: deadline) else { throw .fault(.timeout) }
            count = Socket.receive(connection.socket, into: memory, waits: false)
        }
        if count == -Int(EAGAIN) { return 0 }
        guard count > 0 else { throw .gone }
        countReceived(count)
        usedBytes += count
        if deadline < .now { throw .fault(.timeout) }
        return count
    }

    private mutating func readChunks(
        _ body: inout HTTPBody, limit: Int, taken: inout Int
    ) throws(Interruption) -> [UInt8] {
        var bytes: [UInt8] = []
        while let part = try nextPart(of: &body) {
            // The decoder is past this piece, so the buffer must be, too, whatever happens.
            defer { use(part.upperBound) }
            guard part.count <= limit - bytes.count else { throw .fault(.bodyTooLarge(limit: limit)) }
            let needed = bytes.count + part.count
            if needed > taken {
                // Twice as much keeps copying linear; where that finds no room, as much as there is.
                let ample = min(max(needed, 2 * taken, ReceiveBuffer.usualSize), limit)
                guard let room = [ample, needed].first(where: { configuration.budget.take($0 - taken) }) else {
                    throw .fault(.noRoom)
                }
                taken = room
                bytes.reserveCapacity(room)
            }
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer.bytes[part]))
        }
        return bytes
    }

    /// Reads until there is a piece of the body, which then lies there in the buffer; nil when the body is over.
    mutating func nextPart(of body: inout HTTPBody) throws(Interruption) -> Range<Int>? {
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
                switch step {
                case .framing(let count), .end(let count): use(count)
                case .data(let after, let count): return after..<after + count
                }
            }
        }
        return nil
    }
}
