package import Foundation

/// A raw TCP connection to a port of this machine, for tests that say exactly which bytes go out.
package final class LoopbackConnection {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package struct Response: Sendable {
        package let status: Int
        /// Names in lower case.
        package let fields: [String: String]
        package let body: Data

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    private var descriptor: Int32
    private var pending: [UInt8] = []

    /// - Parameters:
    ///   - timeout: how long a read waits, in seconds.
    ///   - source: the last number of the address 127.0.0.… that it comes from.
    package init(port: Int, timeout: Int = 30, source: UInt8? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "no socket: \(errno)") }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if let source { _ = Self.withAddress(source, port: 0) { bind(descriptor, $0, $1) } }
        let connected = Self.withAddress(1, port: port) { connect(descriptor, $0, $1) }
        guard connected == 0 else {
            let code = errno
            close()
            throw Failure(description: "cannot connect to port \(port): \(code)")
        }
    }

    private static func withAddress(
        _ last: UInt8, port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = (UInt32(0x7f00_0000) + UInt32(last)).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit {
        close()
    }

    package func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Closes so that the peer sees a reset.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        close()
    }

    package func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "cannot send: \(errno)") }
            sent += count
        }
    }

    /// A whole POST with a Content-Length.
    package func post(_ path: String, _ body: [UInt8], fields: [String: String] = [:]) throws -> Response {
        let extra = fields.map { "\($0): \($1)\r\n" }.joined()
        try send(
            Array("POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(extra)Content-Length: \(body.count)\r\n\r\n".utf8)
                + body)
        return try response()
    }

    package func get(_ path: String, fields: [String: String] = [:]) throws -> Response {
        let extra = fields.map { "\($0): \($1)\r\n" }.joined()
        try send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(extra)\r\n")
        return try response()
    }

    /// Reads the next whole response, which has a Content-Length or no body.
    package func response() throws -> Response {
        let head = String(decoding: try readHead(), as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { throw Failure(description: "no status in: \(head)") }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 {
                fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        let length = status == 100 || status == 204 ? 0 : Int(fields["content-length"] ?? "0") ?? 0
        while pending.count < length { try fill() }
        let body = Data(pending.prefix(length))
        pending.removeFirst(length)
        return Response(status: status, fields: fields, body: body)
    }

    /// Reads until the peer closes: nothing more may come, or a reset.
    package func isClosedByPeer() -> Bool {
        do {
            while true { try fill() }
        } catch {
            return (error as? Failure)?.description != "read timed out"
        }
    }

    private func readHead() throws -> [UInt8] {
        while true {
            if let end = pending.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = Array(pending[..<end.lowerBound])
                pending.removeSubrange(..<end.upperBound)
                return head
            }
            try fill()
        }
    }

    private func fill() throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN { throw Failure(description: "read timed out") }
        guard count > 0 else { throw Failure(description: count == 0 ? "closed by the server" : "reset: \(errno)") }
        pending += buffer[..<count]
    }
}
