/// Writes an answer's status line and fields; no text of a handler can end a line early.
enum HTTPResponseHead {
    /// Says how the answer's connection goes on.
    enum Persistence {
        /// HTTP/1.1 needs no word for it.
        case stays
        /// HTTP/1.0 does.
        case staysByRequest
        case closes
    }

    static func append(
        _ response: HTTPResponse, persistence: Persistence, date: [UInt8], to bytes: inout [UInt8]
    ) {
        let status = effectiveStatus(response)
        bytes.append(contentsOf: "HTTP/1.1 ".utf8)
        append(status, to: &bytes)
        bytes.append(HTTPCharacters.space)
        bytes.append(contentsOf: HTTPStatus.phrase(status).utf8)
        bytes.append(contentsOf: "\r\nDate: ".utf8)
        bytes.append(contentsOf: date)
        if !HTTPStatus.isBodiless(status) {
            bytes.append(contentsOf: "\r\nContent-Length: ".utf8)
            append(response.body.count, to: &bytes)
        }
        switch persistence {
        case .stays: break
        case .staysByRequest: bytes.append(contentsOf: "\r\nConnection: keep-alive".utf8)
        case .closes: bytes.append(contentsOf: "\r\nConnection: close".utf8)
        }
        bytes.append(contentsOf: "\r\n".utf8)
        for (name, value) in response.fields where isAllowed(name) {
            bytes.append(contentsOf: name.utf8)
            bytes.append(contentsOf: ": ".utf8)
            for byte in value.utf8 where HTTPCharacters.isFieldText(byte) { bytes.append(byte) }
            bytes.append(contentsOf: "\r\n".utf8)
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    static func effectiveStatus(_ response: HTTPResponse) -> Int {
        200...599 ~= response.status ? response.status : 500
    }

    /// A token, and none of the fields that say where an answer ends and how the connection goes on.
    private static func isAllowed(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.allSatisfy(HTTPCharacters.isToken) else { return false }
        switch name.utf8.count {
        case 4, 10, 14, 17:
            return !["date", "connection", "content-length", "transfer-encoding"].contains(name.lowercased())
        default: return true
        }
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        if number > 9 { append(number / 10, to: &bytes) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
