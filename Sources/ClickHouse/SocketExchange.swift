import Foundation
internal import Platform

/// One request over a plain connection to an IPv6 address.
///
/// Foundation's client takes no URL with such a host on Linux: it compares the host that it knows without brackets with the
/// one that libcurl knows with them.
struct SocketExchange {
    /// When waiting ends for good; asked again and again.
    let end: () -> MonotonicTime

    /// - Parameter target: path and query.
    func response(
        to request: HTTPExchangeRequest, target: String
    ) throws(HTTPExchangeError) -> HTTPExchangeResponse {
        let deadline = MonotonicTime.now + .seconds(request.patience)
        let socket = try connect(request.host, deadline, patience: request.patience)
        defer { close(socket) }
        var head = "POST \(target) HTTP/1.1\r\nHost: \(request.host)\r\nConnection: close\r\n"
        head += "Content-Length: \(request.body.count)\r\n"
        for (name, value) in request.fields { head += "\(name): \(value)\r\n" }
        try send(Array((head + "\r\n").utf8) + request.body, to: socket, deadline, patience: request.patience)
        var received = ReceivedResponse()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !received.isWhole {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count > 0 {
                received.append(buffer[..<count])
                if .now >= end() || .now >= deadline {
                    throw HTTPExchangeError("no whole response in \(Int(request.patience)) seconds")
                }
            } else if count == 0 {
                received.isAtEnd = true
                break
            } else {
                try waitAfterFailure(socket, for: POLLIN, deadline, patience: request.patience)
            }
        }
        guard let response = received.response else {
            throw HTTPExchangeError("the connection broke off", isBrokenOff: true)
        }
        return response
    }

    private func connect(
        _ host: ClickHouseURL.Host, _ deadline: MonotonicTime, patience: Double
    ) throws(HTTPExchangeError) -> Int32 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = host.port.bigEndian
        guard inet_pton(AF_INET6, String(host.name.dropFirst().dropLast()), &address.sin6_addr) == 1 else {
            throw HTTPExchangeError("\(host.name) is no IPv6 address")
        }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(AF_INET6, kind, 0)
        guard socket >= 0 else { throw HTTPExchangeError("no socket: \(String(cString: strerror(errno)))") }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
        do throws(HTTPExchangeError) {
            if result != 0, errno == EINPROGRESS {
                try wait(socket, for: POLLOUT, deadline, patience: patience)
                var (code, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
                getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length)
                if code != 0 { throw Self.fault(code) }
            } else if result != 0 {
                throw Self.fault(errno)
            }
        } catch {
            close(socket)
            throw error
        }
        return socket
    }

    private func send(
        _ bytes: [UInt8], to socket: Int32, _ deadline: MonotonicTime, patience: Double
    ) throws(HTTPExchangeError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else {
                try waitAfterFailure(socket, for: POLLOUT, deadline, patience: patience)
            }
        }
    }

    /// Waits where the last call only had nothing to do.
    private func waitAfterFailure(
        _ socket: Int32, for event: Int32, _ deadline: MonotonicTime, patience: Double
    ) throws(HTTPExchangeError) {
        switch errno {
        case EINTR: return
        case EAGAIN: try wait(socket, for: event, deadline, patience: patience)
        case let code: throw Self.fault(code)
        }
    }

    private func wait(
        _ socket: Int32, for event: Int32, _ deadline: MonotonicTime, patience: Double
    ) throws(HTTPExchangeError) {
        while true {
            if .now >= end() { throw HTTPExchangeError("no response yet, and the program is ending") }
            if .now >= deadline { throw HTTPExchangeError("no response in \(Int(patience)) seconds") }
            // In steps, since the end may be named meanwhile.
            var request = pollfd(fd: socket, events: Int16(event), revents: 0)
            if poll(&request, 1, min(500, max(1, deadline.millisecondsLeft))) > 0 { return }
        }
    }

    private static func fault(_ code: Int32) -> HTTPExchangeError {
        switch code {
        case ECONNREFUSED: HTTPExchangeError("nothing listens there")
        case ECONNRESET, EPIPE: HTTPExchangeError("the connection broke off", isBrokenOff: true)
        default: HTTPExchangeError(String(cString: strerror(code)))
        }
    }
}

/// A response that comes piece by piece.
struct ReceivedResponse {
    private var bytes: [UInt8] = []
    private var head: (status: Int, fields: [String: String], end: Int)?
    /// The other side has nothing more to send.
    var isAtEnd = false

    mutating func append(_ piece: ArraySlice<UInt8>) {
        bytes += piece
        guard head == nil, let blank = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
        let lines = String(decoding: bytes[..<blank.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        head = (status, fields, blank.upperBound)
    }

    private var isChunked: Bool { head?.fields["transfer-encoding"]?.lowercased() == "chunked" }
    private var length: Int? { head.flatMap { $0.fields["content-length"].flatMap { Int($0) } }.map { max(0, $0) } }

    /// Nothing more belongs to it, whether or not the connection stays.
    var isWhole: Bool {
        guard let head else { return false }
        if head.status == 204 || head.status == 304 { return true }
        if isChunked {
            return bytes.count > head.end && bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8) && chunks != nil
        }
        return length.map { bytes.count - head.end >= $0 } ?? false
    }

    /// Nil for one that broke off.
    var response: HTTPExchangeResponse? {
        guard let head, isWhole || isAtEnd && !isChunked && length == nil else { return nil }
        let body = isChunked ? chunks : Array(bytes[head.end...].prefix(length ?? .max))
        return body.map { HTTPExchangeResponse(status: head.status, fields: head.fields, body: Data($0)) }
    }

    /// The chunks put together; nil when the last is missing, or one is none.
    private var chunks: [UInt8]? {
        guard let head else { return nil }
        var (body, rest): ([UInt8], _) = ([], bytes[head.end...])
        while let feed = rest.firstIndex(of: 0x0A) {
            let digits = rest[..<feed].prefix { $0 != 0x0D && $0 != UInt8(ascii: ";") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else { return nil }
            rest = rest[(feed + 1)...]
            if size == 0 { return body }
            guard rest.count >= size, rest.count - size >= 2 else { return nil }
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return nil
    }
}
