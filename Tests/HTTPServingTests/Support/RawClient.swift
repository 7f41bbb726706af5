import Glibc

/// A TCP connection to a server under test that writes bytes as they are and reads responses.
final class RawClient {
    struct Response: Equatable {
        var status: Int
        /// Names in lower case.
        var fields: [String: String]
        var body: String
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let socket: Int32
    private var unread: [UInt8] = []
    private(set) var isClosed = false

    /// Connects over the loopback of IPv4 or IPv6. A read that takes longer than 10 s fails.
    ///
    /// - Parameter source: the last number of the address 127.0.0.… that it comes from.
    init(port: UInt16, overIPv6: Bool = false, receiveBuffer: Int32? = nil, source: UInt8 = 1) throws {
        socket = Glibc.socket(overIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var time = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_addr.s_addr = (UInt32(0x7F00_0000) | UInt32(source)).bigEndian
        if source != 1 {
            let bound = withUnsafePointer(to: &four) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard bound == 0 else { throw Failure(description: "bind: \(String(cString: strerror(errno)))") }
        }
        four.sin_port = port.bigEndian
        four.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        six.sin6_addr = in6addr_loopback
        let result =
            overIPv6
            ? Self.connect(socket, &six, MemoryLayout<sockaddr_in6>.size)
            : Self.connect(socket, &four, MemoryLayout<sockaddr_in>.size)
        guard result == 0 else { throw Failure(description: "connect: \(String(cString: strerror(errno)))") }
    }

    deinit {
        if !isClosed { Glibc.close(socket) }
    }

    private static func connect(_ socket: Int32, _ address: UnsafeRawPointer, _ length: Int) -> Int32 {
        Glibc.connect(socket, address.assumingMemoryBound(to: sockaddr.self), socklen_t(length))
    }

    /// Writes text, its lines ended by `\r\n` as written in it.
    func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Writes all of the bytes, or as many as the server takes before it closes.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that nothing more will be sent.
    func endSending() {
        shutdown(socket, Int32(SHUT_WR))
    }

    /// Closes with a reset instead of an orderly end.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        Glibc.close(socket)
        isClosed = true
    }

    /// Whether a response, a part of one or the end comes within that time.
    func isReadable(withinMs milliseconds: Int32) -> Bool {
        var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }

    /// Reads one response, `100 Continue` too.
    ///
    /// - Parameter hasBody: false for the response to `HEAD`.
    func response(hasBody: Bool = true) throws -> Response {
        let end = Array("\r\n\r\n".utf8)
        while unread.firstRange(of: end) == nil { try receive() }
        guard let range = unread.firstRange(of: end) else { throw Failure(description: "no head") }
        let lines = String(decoding: unread[..<range.lowerBound], as: UTF8.self).split(separator: "\r\n")
        unread.removeFirst(range.upperBound)
        guard let first = lines.first, first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3))
        else {
            throw Failure(description: "no status line in \(lines)")
        }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ": ", maxSplits: 1)
            fields[parts[0].lowercased(), default: ""] += parts.count == 2 ? String(parts[1]) : ""
        }
        let length = hasBody ? Int(fields["content-length"] ?? "0") ?? 0 : 0
        while unread.count < length { try receive() }
        let body = String(decoding: unread.prefix(length), as: UTF8.self)
        unread.removeFirst(length)
        return Response(status: status, fields: fields, body: body)
    }

    /// Reads on to the connection's end.
    ///
    /// - Returns: what came before it, or nil when there is no end within the time for a read.
    func restUntilClosed() -> String? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count > 0 {
                unread += buffer[..<count]
            } else if count == 0 || errno == ECONNRESET {
                return String(decoding: unread, as: UTF8.self)
            } else {
                return nil
            }
        }
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else {
            throw Failure(
                description: count == 0 ? "closed after \(unread.count) bytes" : String(cString: strerror(errno)))
        }
        unread += buffer[..<count]
    }
}

extension Array<UInt8> {
    /// Where the other bytes stand in these for the first time.
    fileprivate func firstRange(of other: [UInt8]) -> Range<Int>? {
        guard count >= other.count else { return nil }
        return (0...(count - other.count)).first { self[$0..<$0 + other.count].elementsEqual(other) }
            .map { $0..<$0 + other.count }
    }
}
