/// What the fields of one head say together about where the request ends and whether the connection stays.
///
/// Whatever two parsers could read in two ways is a fault, even where RFC 9112 would let a server mend it: a proxy in
/// front must never see other requests than this server does.
struct HTTPFramingRules {
    private var hosts = 0
    private var length: Int?
    private var isChunked = false
    private var asksToClose = false
    private var asksToStay = false
    private(set) var expectsContinue = false

    /// Takes one field into account; most are none of its business.
    mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) throws(HTTPFault) {
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

    private mutating func addHost(_ value: UnsafeRawBufferPointer) throws(HTTPFault) {
        hosts += 1
        guard hosts == 1 else { throw .malformed("There is more than one Host.") }
        guard value.allSatisfy(HTTPCharacters.isAuthority) else { throw .malformed("Host is no host and port.") }
    }

    private mutating func addLength(_ value: UnsafeRawBufferPointer) throws(HTTPFault) {
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

    private mutating func addCoding(_ value: UnsafeRawBufferPointer) throws(HTTPFault) {
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
    func decide(_ version: HTTPVersion) throws(HTTPFault) -> HTTPFraming {
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
