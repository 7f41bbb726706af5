/// Reads one request's head from a growing run of bytes, strictly after RFC 9112.
///
/// A value without any effect: the same bytes give the same outcome however they are cut, and no byte is looked at
/// twice.
package struct HTTPHeadParser: Sendable {
    private struct RequestLine {
        let method: String
        let target: HTTPTarget
        let targetRange: Range<Int>
        let version: HTTPVersion
    }

    private let limits: HTTPHeadLimits
    private let peer: IPAddress
    private var scanned = 0
    private var lineStart = 0
    private var skippedEmptyLine = false
    private var requestLine: RequestLine?
    private var lines: [HTTPFields.Line] = []
    private var framing = HTTPFramingRules()

    package init(limits: HTTPHeadLimits = HTTPHeadLimits(), peer: IPAddress) {
        self.limits = limits.representable
        self.peer = peer
    }

    /// Goes on with all bytes of the request that there are, from its first; nil as long as the head isn't whole.
    ///
    /// - Throws: the first fault; the parser is of no use afterwards.
    /// - Complexity: linear in the bytes that are new.
    package mutating func parse(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) -> HTTPRequestHead? {
        let end = min(bytes.count, limits.head)
        while scanned < end {
            let stop = requestLine == nil ? min(end, lineStart + limits.requestLine + 1) : end
            while scanned < stop, HTTPCharacters.isFieldText(bytes[scanned]) { scanned += 1 }
            if requestLine == nil, scanned - lineStart > limits.requestLine {
                throw .targetTooLong(limit: limits.requestLine)
            }
            guard scanned < end else { break }
            guard bytes[scanned] == HTTPCharacters.carriageReturn else {
                throw .malformed(
                    bytes[scanned] == HTTPCharacters.lineFeed
                        ? "A line ends with a bare line feed." : "The head holds a control character.")
            }
            guard scanned + 1 < end else { break }
            guard bytes[scanned + 1] == HTTPCharacters.lineFeed else {
                throw .malformed("The head holds a bare carriage return.")
            }
            let line = lineStart..<scanned
            scanned += 2
            lineStart = scanned
            if try endsHead(line, of: bytes) { return try head(bytes) }
        }
        if bytes.count >= limits.head { throw .headTooLarge("The head is longer than \(limits.head) bytes.") }
        return nil
    }

    /// Takes one line; true for the empty one after the fields.
    private mutating func endsHead(_ line: Range<Int>, of bytes: UnsafeRawBufferPointer) throws(HTTPError) -> Bool {
        if requestLine != nil {
            if line.isEmpty { return true }
            try addField(line, of: bytes)
        } else if !line.isEmpty {
            lines.reserveCapacity(16)
            requestLine = try Self.requestLine(line, of: bytes)
        } else {
            // RFC 9112, 2.2: some clients send an empty line after a body that nobody counts.
            guard !skippedEmptyLine else { throw .malformed("The request begins with empty lines.") }
            skippedEmptyLine = true
        }
        return false
    }

    private static func requestLine(
        _ line: Range<Int>, of bytes: UnsafeRawBufferPointer
    ) throws(HTTPError) -> RequestLine {
        let words = bytes[line]
        guard let first = words.firstIndex(of: HTTPCharacters.space),
            let second = words[(first + 1)...].firstIndex(of: HTTPCharacters.space)
        else { throw .malformed("The request line is not method, target and version.") }
        let name = words[..<first]
        guard !name.isEmpty, name.allSatisfy(HTTPCharacters.isToken) else {
            throw .malformed("The method is no token.")
        }
        let version = try version(words[(second + 1)...])
        let method = String(decoding: name, as: UTF8.self)
        guard name.count <= 32, method != "CONNECT" else {
            throw .notImplemented("This method is not supported.")
        }
        let targetRange = first + 1..<second
        return RequestLine(
            method: method,
            target: try HTTPTarget(UnsafeRawBufferPointer(rebasing: bytes[targetRange]), method: method),
            targetRange: targetRange, version: version)
    }

    private static func version(_ word: Slice<UnsafeRawBufferPointer>) throws(HTTPError) -> HTTPVersion {
        if word.elementsEqual("HTTP/1.1".utf8) { return .http11 }
        if word.elementsEqual("HTTP/1.0".utf8) { return .http10 }
        let prefix = word.prefix(5), digits = word.dropFirst(5)
        guard prefix.elementsEqual("HTTP/".utf8), digits.count == 3,
            let major = digits.first, let minor = digits.last, HTTPCharacters.isDigit(major),
            digits.dropFirst().first == UInt8(ascii: "."), HTTPCharacters.isDigit(minor)
        else { throw .malformed("The request line does not end in an HTTP version.") }
        throw .versionNotSupported
    }

    private mutating func addField(_ line: Range<Int>, of bytes: UnsafeRawBufferPointer) throws(HTTPError) {
        guard lines.count < limits.fields else {
            throw .headTooLarge("The head has more than \(limits.fields) fields.")
        }
        let text = bytes[line]
        guard let colon = text.firstIndex(where: { !HTTPCharacters.isToken($0) }), colon > line.lowerBound,
            text[colon] == UInt8(ascii: ":")
        else { throw .malformed("A header field's name is no token right before a colon.") }
        let value = HTTPCharacters.trimmed(text[(colon + 1)...])
        let name = line.lowerBound..<colon
        lines.append(
            HTTPFields.Line(
                name: UInt16(name.lowerBound)..<UInt16(name.upperBound),
                value: UInt16(value.startIndex)..<UInt16(value.endIndex)))
        try framing.add(
            name: UnsafeRawBufferPointer(rebasing: bytes[name]), value: UnsafeRawBufferPointer(rebasing: value))
    }

    private func head(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) -> HTTPRequestHead {
        guard let requestLine else { throw .malformed("The request has no request line.") }
        return HTTPRequestHead(
            method: requestLine.method, path: requestLine.target.path, query: requestLine.target.query,
            version: requestLine.version, fields: HTTPFields(bytes: Array(bytes[..<scanned]), lines: lines),
            framing: try framing.decide(requestLine.version),
            keepsAlive: framing.keepsAlive(requestLine.version),
            expectsContinue: framing.expectsContinue && requestLine.version == .http11,
            peer: peer, targetRange: requestLine.targetRange)
    }
}

extension HTTPRequestHead {
    /// A head from its bytes alone, to try a handler without a connection.
    ///
    /// - Throws: `.malformed` also when the head is not whole.
    package init(parsing text: String, peer: IPAddress = .loopback) throws(HTTPError) {
        var parser = HTTPHeadParser(peer: peer)
        let bytes = Array(text.utf8)
        var parsed: Result<HTTPRequestHead?, HTTPError> = .success(nil)
        bytes.withUnsafeBytes { bytes in
            do throws(HTTPError) { parsed = .success(try parser.parse(bytes)) } catch { parsed = .failure(error) }
        }
        guard let head = try parsed.get() else { throw .malformed("The head does not end.") }
        self = head
    }
}

/// How long a request's head may be.
package struct HTTPHeadLimits: Sendable {
    /// Bytes of the request line without its end; above it 414.
    package var requestLine = 8 << 10
    /// Bytes of the whole head with its empty line, at most 65,535; above it 431.
    package var head = 32 << 10
    /// Header fields; above it 431.
    package var fields = 100

    package init() {}

    /// The same limits with offsets that 16 bits hold.
    var representable: HTTPHeadLimits {
        var limits = self
        limits.head = min(max(head, 0), Int(UInt16.max))
        limits.requestLine = min(max(requestLine, 0), limits.head)
        return limits
    }
}

/// What the fields of one head say together about where the request ends and whether the connection stays.
///
/// Whatever two parsers could read in two ways is a fault, even where RFC 9112 would let a server mend it: a proxy in
/// front must never see other requests than this server does.
private struct HTTPFramingRules {
    private var hosts = 0
    private var length: Int?
    private var isChunked = false
    private var asksToClose = false
    private var asksToStay = false
    private(set) var expectsContinue = false

    /// Takes one field into account; most are none of its business.
    mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) throws(HTTPError) {
        switch name.count {
        case 4 where HTTPCharacters.equal(name, "host"): try addHost(value)
        case 6 where HTTPCharacters.equal(name, "expect"):
            // RFC 9110, 10.1.1, lets a server leave other expectations alone.
            if HTTPCharacters.equal(value, "100-continue") { expectsContinue = true }
        case 10 where HTTPCharacters.equal(name, "connection"): addConnection(value)
        case 14 where HTTPCharacters.equal(name, "content-length"): try addLength(value)
        case 17 where HTTPCharacters.equal(name, "transfer-encoding"): try addCoding(value)
        default: break
        }
    }

    private mutating func addHost(_ value: UnsafeRawBufferPointer) throws(HTTPError) {
        hosts += 1
        guard hosts == 1 else { throw .malformed("There is more than one Host.") }
        guard value.allSatisfy(HTTPCharacters.isAuthority) else { throw .malformed("Host is no host and port.") }
    }

    private mutating func addLength(_ value: UnsafeRawBufferPointer) throws(HTTPError) {
        guard length == nil else { throw .malformed("There is more than one Content-Length.") }
        guard !value.isEmpty, value.allSatisfy(HTTPCharacters.isDigit) else {
            throw .malformed("Content-Length is no number.")
        }
        var number = 0
        for digit in value {
            let (tenfold, over) = number.multipliedReportingOverflow(by: 10)
            let (sum, beyond) = tenfold.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            // A number without end is above every limit, which is all that matters about it.
            number = over || beyond ? Int.max : sum
            if number == Int.max { break }
        }
        length = number
    }

    private mutating func addCoding(_ value: UnsafeRawBufferPointer) throws(HTTPError) {
        guard !isChunked else { throw .malformed("There is more than one Transfer-Encoding.") }
        guard HTTPCharacters.equal(value, "chunked") else {
            throw .notImplemented("The only transfer coding here is chunked.")
        }
        isChunked = true
    }

    private mutating func addConnection(_ value: UnsafeRawBufferPointer) {
        for item in value.split(separator: UInt8(ascii: ",")) {
            let option = UnsafeRawBufferPointer(rebasing: HTTPCharacters.trimmed(item))
            if HTTPCharacters.equal(option, "close") { asksToClose = true }
            if HTTPCharacters.equal(option, "keep-alive") { asksToStay = true }
        }
    }

    /// Decides once all fields are there.
    func decide(_ version: HTTPVersion) throws(HTTPError) -> HTTPFraming {
        if version == .http11 && hosts == 0 { throw .malformed("Host is missing.") }
        if isChunked {
            guard length == nil else { throw .malformed("There are both Content-Length and Transfer-Encoding.") }
            guard version == .http11 else { throw .malformed("HTTP/1.0 has no Transfer-Encoding.") }
            return .chunked
        }
        guard let length, length > 0 else { return .none }
        return .length(length)
    }

    /// RFC 9112, 9.3: HTTP/1.1 stays unless told otherwise, HTTP/1.0 the other way round.
    func keepsAlive(_ version: HTTPVersion) -> Bool {
        !asksToClose && (version == .http11 || asksToStay)
    }
}
