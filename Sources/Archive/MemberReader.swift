internal import Glibc
internal import Gzip

/// Reads the gzip members of one file, one after another, through one buffer.
///
/// The file may grow meanwhile. Used by one thread at a time.
final class MemberReader {
    enum Outcome: Equatable {
        /// One whole member; ``offset`` has moved past it.
        case member
        /// Nothing stands at the offset (yet).
        case end
        /// A member begins at the offset, and the bytes end before it does.
        case incomplete
        /// What stands at the offset is no good member: why.
        case invalid(String)
    }

    /// One member never holds more lines than this, in bytes: twice the largest commit.
    static let memberBytes = 128 << 20
    /// One read of the file, in bytes.
    private static let windowBytes = 256 << 10

    let file: OpenFile
    /// Where the next member begins.
    private(set) var offset: Int64

    private let stream = InflateStream()
    private let window = UnsafeMutableRawBufferPointer.allocate(byteCount: windowBytes, alignment: 16)
    private let step = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    /// The part of the window that has been read from the file and not been used.
    private var unused = 0..<0
    /// The file's offset of the first unused byte.
    private var position: Int64

    init(_ file: OpenFile, at offset: Int64) {
        self.file = file
        self.offset = offset
        position = offset
    }

    deinit {
        window.deallocate()
        step.deallocate()
    }

    /// Goes to another member's first byte, and forgets what was read ahead.
    func seek(to offset: Int64) {
        self.offset = offset
        position = offset
        unused = 0..<0
    }

    /// Reads one member.
    ///
    /// - Parameters:
    ///   - limit: the offset beyond which nothing is read.
    ///   - lines: gets the member's bytes; unchanged by any other outcome than ``Outcome/member``.
    /// - Throws: what the system said of a read.
    func next(before limit: Int64 = .max, into lines: inout [UInt8]) throws(FileFault) -> Outcome {
        let first = lines.count
        if position != offset { seek(to: offset) }
        stream.begin()
        while true {
            if unused.isEmpty, try fill(before: limit) == 0 {
                let nothing = position == offset
                lines.removeLast(lines.count - first)
                return nothing ? .end : .incomplete
            }
            do throws(GzipError) {
                let input = UnsafeRawBufferPointer(rebasing: window[unused])
                let done = try stream.step(input, into: step)
                unused = unused.lowerBound + done.consumed..<unused.upperBound
                position += Int64(done.consumed)
                lines.append(contentsOf: UnsafeRawBufferPointer(rebasing: step[..<done.produced]))
                if done.ended {
                    offset = position
                    return .member
                }
                if lines.count - first > Self.memberBytes { throw GzipError.tooLarge(limit: Self.memberBytes) }
            } catch {
                lines.removeLast(lines.count - first)
                // The member may be as good as any.
                if error == .outOfMemory { throw FileFault("read", file.path, code: ENOMEM) }
                return .invalid("\(error)")
            }
        }
    }

    /// Reads on where the window ends.
    private func fill(before limit: Int64) throws(FileFault) -> Int {
        let room = min(Int64(window.count), limit - position)
        guard room > 0 else { return 0 }
        let target = UnsafeMutableRawBufferPointer(rebasing: window[..<Int(room)])
        let count = try file.read(into: target, at: position)
        unused = 0..<count
        return count
    }
}
