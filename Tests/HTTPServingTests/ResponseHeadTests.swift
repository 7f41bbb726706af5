import Testing

@testable import HTTPServing

@Suite("A response's head")
struct ResponseHeadTests {
    private func written(_ response: HTTPResponse, _ persistence: HTTPResponseHead.Persistence = .stays) -> String {
        var bytes: [UInt8] = []
        HTTPResponseHead.append(response, persistence: persistence, date: Array("now".utf8), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("has status, date, length and the handler's fields")
    func plain() {
        let response = HTTPResponse(status: 202, fields: [("A", "b"), ("C", "d e")], body: [1, 2, 3])
        #expect(
            written(response) == "HTTP/1.1 202 Accepted\r\nDate: now\r\nContent-Length: 3\r\nA: b\r\nC: d e\r\n\r\n")
    }

    @Test("says how the connection goes on")
    func persistence() {
        let response = HTTPResponse(status: 200)
        #expect(written(response, .closes).contains("\r\nConnection: close\r\n"))
        #expect(written(response, .staysByRequest).contains("\r\nConnection: keep-alive\r\n"))
        #expect(!written(response).contains("Connection"))
    }

    @Test("has no length where there is never a body", arguments: [204, 304])
    func bodiless(status: Int) {
        #expect(!written(HTTPResponse(status: status, body: [1])).contains("Content-Length"))
    }

    @Test("can't be broken up by what a handler puts into it")
    func noInjection() {
        let response = HTTPResponse(
            status: 200,
            fields: [
                ("A", "b\r\nSet-Cookie: c\0\u{7F}"), ("X\r\nY", "z"), ("", "z"), ("S p", "z"), ("Content-length", "9"),
                ("transfer-Encoding", "chunked"), ("CONNECTION", "x"), ("date", "x"), ("Tab", "a\tb"),
            ])
        #expect(
            written(response)
                == "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 0\r\nA: bSet-Cookie: c\r\nTab: a\tb\r\n\r\n")
    }

    @Test("has a status of three digits whatever the handler says", arguments: [-1, 0, 99, 101, 600, .max])
    func oddStatus(status: Int) {
        #expect(written(HTTPResponse(status: status)).hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
    }

    @Test(
        "dates as RFC 9110 does",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_796_083_199, "Mon, 30 Nov 2026 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ])
    func dates(_ second: Int64, _ text: String) {
        #expect(HTTPDate.format(second) == text)
    }
}
