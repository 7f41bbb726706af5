/// Writes a response's status line and fields; no text of a handler can end a line early.
enum HTTPResponseHead {
    /// Says how the response's connection goes on.
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

    /// A token, and none of the fields that say where a response ends and how the connection goes on.
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

/// The words after a status code, which nothing reads but people.
enum HTTPStatus {
    static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }

    /// Statuses whose responses never have a body (RFC 9110, 6.4.1).
    static func isBodiless(_ status: Int) -> Bool {
        status == 204 || status == 304
    }
}
