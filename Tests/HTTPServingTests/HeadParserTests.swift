import Testing

@testable import HTTPServing

@Suite("The head parser")
struct HeadParserTests {
    @Test("reads method, target, fields and framing")
    func reads() throws {
        let head = try HTTPRequestHead(
            parsing: "POST /a%20b?key=x%2By&q=1+2&flag HTTP/1.1\r\nHost: h:80\r\nX-A:\t one \r\nx-a: two\r\n"
                + "Content-Length: 007\r\nX-Empty:\r\n\r\n")
        #expect(head.method == "POST")
        #expect(head.target == "/a%20b?key=x%2By&q=1+2&flag")
        #expect(head.path == "/a b")
        #expect(head.query.map(\.name) == ["key", "q", "flag"])
        #expect(head.query.map(\.value) == ["x+y", "1 2", ""])
        #expect(head.queryValue("q") == "1 2")
        #expect(head.queryValue("z") == nil)
        #expect(head.fields.first("X-a") == "one")
        #expect(head.fields.all("x-A") == ["one", "two"])
        #expect(head.fields.first("x-empty") == "")
        #expect(head.fields.first("x-none") == nil)
        #expect(head.fields.count == 5)
        #expect(head.framing == .length(7))
        #expect(head.version == .http11)
        #expect(head.keepsAlive)
    }

    @Test("takes what RFC 9112 allows", arguments: acceptedHeads)
    func accepts(_ lines: String, _ framing: HTTPFraming, _ keepsAlive: Bool) throws {
        let head = try HTTPRequestHead(parsing: lines.replacing("\n", with: "\r\n") + "\r\n\r\n")
        #expect(head.framing == framing)
        #expect(head.keepsAlive == keepsAlive)
    }

    @Test("refuses every head that two parsers could read in two ways", arguments: refusedHeads)
    func refuses(_ head: String, _ status: Int) {
        #expect(fault(in: head)?.status == status, "\(head.debugDescription)")
    }

    @Test("says so as soon as the bad byte is there, not at the end of the head")
    func refusesEarly() {
        for start in ["GET / HTTP/1.1\n", "\u{16}\u{3}", "GET / HTTP/1.1\r\nHost: x\rX", "GET / HTTP/1.1\r\nA : b\r\n"]
        {
            var parser = HTTPHeadParser(peer: .loopback)
            #expect(throws: HTTPError.self) { try parser.parse(text: start) }
        }
    }

    @Test("goes by the bytes, not by where they are cut")
    func cutsDoNotMatter() {
        let accepted = acceptedHeads.map { $0.0.replacing("\n", with: "\r\n") + "\r\n\r\n" }
        for text in accepted + refusedHeads.map(\.0) {
            let bytes = Array(text.utf8)
            let whole = outcome(of: bytes, cutting: [])
            for cut in bytes.indices { #expect(outcome(of: bytes, cutting: [cut]) == whole, "\(text) cut at \(cut)") }
            #expect(outcome(of: bytes, cutting: Array(bytes.indices)) == whole, "\(text) byte by byte")
        }
    }

    @Test("leaves what follows the head alone")
    func leavesTheRest() throws {
        var parser = HTTPHeadParser(peer: .loopback)
        let head = try #require(try parser.parse(text: "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET"))
        #expect(head.byteCount == 27)
    }

    @Test("takes 8 KiB of request line, 100 fields and 32 KiB of head, and not one more")
    func limits() {
        func line(_ length: Int) -> String { "GET /\(String(repeating: "a", count: length - 14)) HTTP/1.1" }
        #expect(fault(in: line(8_192) + "\r\nHost: x\r\n\r\n") == nil)
        #expect(fault(in: line(8_193) + "\r\nHost: x\r\n\r\n")?.status == 414)
        #expect(fault(in: String(repeating: "a", count: 9_000))?.status == 414)
        func fields(_ count: Int) -> String {
            "GET / HTTP/1.1\r\nHost: x\r\n" + (1..<count).map { "A\($0): b\r\n" }.joined() + "\r\n"
        }
        #expect(fault(in: fields(100)) == nil)
        #expect(fault(in: fields(101))?.status == 431)
        func head(_ length: Int) -> String {
            let start = "GET / HTTP/1.1\r\nHost: x\r\nA: "
            return start + String(repeating: "b", count: length - start.utf8.count - 4) + "\r\n\r\n"
        }
        #expect(fault(in: head(32_768)) == nil)
        #expect(fault(in: head(32_769))?.status == 431)
        #expect(fault(in: String(head(40_000).dropLast(4)))?.status == 431)
    }

    @Test("hands over a field's bytes as they came")
    func opaqueValues() throws {
        var parser = HTTPHeadParser(peer: .loopback)
        let bytes = Array("GET / HTTP/1.1\r\nHost: x\r\nX: ".utf8) + [0xE5, 0x80] + Array("\r\n\r\n".utf8)
        let head = try #require(try bytes.withUnsafeBytes { try parser.parse($0) })
        #expect(head.fields.allBytes("x") == [[0xE5, 0x80]])
        #expect(head.fields.first("x")?.contains("\u{FFFD}") == true)
    }
}

extension HTTPHeadParser {
    mutating func parse(text: String) throws(HTTPError) -> HTTPRequestHead? {
        let bytes = Array(text.utf8)
        var result: Result<HTTPRequestHead?, HTTPError> = .success(nil)
        bytes.withUnsafeBytes { bytes in
            do throws(HTTPError) { result = .success(try parse(bytes)) } catch { result = .failure(error) }
        }
        return try result.get()
    }
}

/// The fault of a head, nil for none; text that ends too early has none either.
func fault(in text: String) -> HTTPError? {
    var parser = HTTPHeadParser(peer: .loopback)
    do throws(HTTPError) {
        _ = try parser.parse(text: text)
        return nil
    } catch {
        return error
    }
}

/// What a parser makes of bytes that arrive in pieces, as text to compare.
func outcome(of bytes: [UInt8], cutting cuts: [Int]) -> String {
    var parser = HTTPHeadParser(peer: .loopback)
    do {
        for end in cuts + [bytes.count] {
            let head = try bytes[..<end].withUnsafeBytes { try parser.parse($0) }
            if let head {
                let values = head.fields.lines.map { "\($0.name)\($0.value)" }
                return "\(head.method) \(head.path) \(head.query) \(head.framing) \(head.byteCount) \(values)"
            }
        }
        return "incomplete"
    } catch {
        return "\(error)"
    }
}

/// Lines without the last ends, what the framing is and whether the connection stays.
let acceptedHeads: [(String, HTTPFraming, Bool)] = [
    ("POST /v1/playback-events HTTP/1.1\nHost: x\nContent-Length: 12\nUser-Agent: a/1 (b; c)", .length(12), true),
    ("GET / HTTP/1.1\nHost: x", .none, true),
    ("GET / HTTP/1.1\nHost:", .none, true),
    ("GET / HTTP/1.1\nHost: [::1]:8080", .none, true),
    ("\nGET / HTTP/1.1\nHost: x", .none, true),
    ("GET http://x/a?b HTTP/1.1\nHost: x", .none, true),
    ("GET HTTPS://x:1 HTTP/1.1\nHost: x", .none, true),
    ("OPTIONS * HTTP/1.1\nHost: x", .none, true),
    ("BREW / HTTP/1.1\nHost: x", .none, true),
    ("GET /?a[]={%22}|^` HTTP/1.1\nHost: x", .none, true),
    ("POST / HTTP/1.1\nHost: x\nContent-Length: 0", .none, true),
    ("POST / HTTP/1.1\nHost: x\nContent-Length: 99999999999999999999999", .length(.max), true),
    ("POST / HTTP/1.1\nHost: x\nTransfer-Encoding: Chunked", .chunked, true),
    ("GET / HTTP/1.1\nHost: x\nConnection: Close", .none, false),
    ("GET / HTTP/1.1\nHost: x\nConnection: te, close\nConnection: keep-alive", .none, false),
    ("GET / HTTP/1.0", .none, false),
    ("GET / HTTP/1.0\nConnection: Keep-Alive", .none, true),
    ("POST / HTTP/1.0\nContent-Length: 3", .length(3), false),
]

/// Whole heads, or what there is of them when the fault shows, and the status of the fault.
let refusedHeads: [(String, Int)] = [
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3, 3\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -3\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x3\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3 3\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: user@x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x/y\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \"chunked\"\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 3\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length\t: 3\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\n: v\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nNoColon\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nBäd: v\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA(b): v\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n folded\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n\tfolded\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\nHost: x\n\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\u{1}c\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\u{7F}c\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA\0: b\r\n\r\n", 400),
    ("GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /?a=%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /%0 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /%+1 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /?a=% HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /%c3%28 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /ä HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /a\\b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET http://u@x/a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET  HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /  HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.1 \r\nHost: x\r\n\r\n", 400),
    ("GET\t/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /\r\nHost: x\r\n\r\n", 400),
    (" GET / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("G(T / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET / http/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.11\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/x.1\r\nHost: x\r\n\r\n", 400),
    ("\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    ("GET / HTTP/1.2\r\nHost: x\r\n\r\n", 505),
    ("GET / HTTP/0.9\r\nHost: x\r\n\r\n", 505),
    ("CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 501),
    ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA / HTTP/1.1\r\nHost: x\r\n\r\n", 501),
]
