internal import Glibc
internal import Platform

/// One keep-alive connection of a load: sends a request, waits for its answer, and again.
final class LoadConnection {
    enum Progress {
        /// The socket has nothing more to give or to take for now.
        case waiting
        case answered(status: Int)
        /// The connection is gone, and its request with it.
        case broken
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var socket: Int32 = -1
    private(set) var began: UInt64 = 0
    private(set) var events = 0
    private(set) var size = 0
    private var sent = 0
    private var closesAfterAnswer = false
    private var request: [UInt8]
    private var answer = ResponseReader()
    private let port: UInt16

    /// - Parameter room: the length of the longest request.
    init(port: UInt16, room: Int) {
        self.port = port
        request = [UInt8](repeating: 0, count: room)
    }

    deinit {
        if socket >= 0 { close(socket) }
    }

    /// Connects, after closing what was open.
    func open() throws {
        if socket >= 0 { close(socket) }
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw Failure(description: "socket: \(String(cString: strerror(errno)))") }
        var one: Int32 = 1
        var room: Int32 = 1 << 18
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "connect: \(String(cString: strerror(errno)))") }
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    }

    /// Begins a request with new identifiers.
    func begin(_ template: RequestTemplate, using chance: inout SeededGenerator)
        -> Progress
    {
        request.replaceSubrange(0..<template.bytes.count, with: template.bytes)
        SampleBody.renew(template.playIds, template.sessionIds, in: &request, using: &chance)
        size = template.bytes.count
        events = template.events
        sent = 0
        answer.begin()
        began = SystemClock.monotonic
        return goOn()
    }

    /// Sends what is left to send, then receives what there is.
    func goOn() -> Progress {
        while sent < size {
            let count = request[sent..<size].withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 { return errno == EAGAIN ? .waiting : .broken }
            sent += count
        }
        while true {
            let count = answer.receive(from: socket)
            if count < 0 { return errno == EAGAIN ? .waiting : .broken }
            if count == 0 { return .broken }
            if let status = answer.status {
                closesAfterAnswer = answer.closes
                return .answered(status: status)
            }
        }
    }

    /// The body of the last answer.
    var body: String { String(decoding: answer.body, as: UTF8.self) }

    var isSending: Bool { sent < size }

    /// Whether the server has said that it takes no further request here.
    var isSpent: Bool { closesAfterAnswer }
}

/// Receives one HTTP response: as much of the protocol as tells where it ends.
private struct ResponseReader {
    private var bytes = [UInt8](repeating: 0, count: 16 << 10)
    private var count = 0
    /// The response's status, once the whole response is there.
    private(set) var status: Int?
    /// The server closes the connection after it.
    private(set) var closes = false

    mutating func begin() {
        count = 0
        status = nil
        closes = false
    }

    /// Receives once.
    ///
    /// - Returns: what `recv` returned.
    mutating func receive(from socket: Int32) -> Int {
        if count == bytes.count { bytes.append(contentsOf: repeatElement(0, count: bytes.count)) }
        let received = bytes.withUnsafeMutableBytes { room in
            recv(socket, room.baseAddress?.advanced(by: count), room.count - count, 0)
        }
        if received > 0 {
            count += received
            judge()
        }
        return received
    }

    /// The body, once the whole response is there and its length was given.
    var body: ArraySlice<UInt8> {
        guard let end = headEnd else { return [] }
        return bytes[end..<count]
    }

    private var headEnd: Int? {
        let end: [UInt8] = [13, 10, 13, 10]
        guard count >= 16 else { return nil }
        return (4...count).first { bytes[$0 - 4] == end[0] && bytes[($0 - 4)..<$0].elementsEqual(end) }
    }

    private mutating func judge() {
        guard let end = headEnd else { return }
        let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, let status = Int(words[1]) else { return }
        var length: Int?
        var isChunked = false
        for line in lines.dropFirst() {
            if line.hasPrefix("content-length:") {
                length = Int(line.dropFirst("content-length:".count).trimming(" "))
            } else if line.hasPrefix("transfer-encoding:") {
                isChunked = line.hasSuffix("chunked")
            } else if line.hasPrefix("connection:") {
                closes = line.hasSuffix("close")
            }
        }
        let isWhole =
            isChunked ? bytes[end..<count].suffix(5).elementsEqual("0\r\n\r\n".utf8) : count - end >= length ?? 0
        if isWhole { self.status = status }
    }
}

extension Substring {
    fileprivate func trimming(_ character: Character) -> Substring {
        var rest = self
        while rest.first == character { rest.removeFirst() }
        while rest.last == character { rest.removeLast() }
        return rest
    }
}
