import Foundation
import Testing

@testable import ClickHouse

@Suite("An response that comes in pieces")
struct ReceivedResponseTests {
    private func received(_ text: String, atEnd: Bool = true, pieces: Int) -> ReceivedResponse {
        var response = ReceivedResponse()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            response.append(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
        }
        response.isAtEnd = atEnd
        return response
    }

    private static let good: [(text: String, body: String)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "abc"),
        (
            "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n3\r\nabc\r\nA;x\r\n0\r\n\r\n56789\r\n0\r\n\r\n",
            "abc0\r\n\r\n56789"
        ),
        ("HTTP/1.0 200 OK\r\n\r\nuntil the end", "until the end"),
        ("HTTP/1.1 204 No Content\r\n\r\n", ""),
    ]

    @Test("is whole by its length, its last chunk, or the end of the connection", arguments: 0..<4, [1, 7, 1_000])
    func whole(index: Int, pieces: Int) {
        let (text, body) = Self.good[index]
        let response = received(text, pieces: pieces).response
        #expect(response?.body == Data(body.utf8))
    }

    @Test("has nothing where a peer gives it a length below nothing")
    func negative() {
        #expect(received("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabcdefgh", pieces: 7).response?.body == Data())
    }

    @Test(
        "is none when it breaks off",
        arguments: [
            "", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "HTTP/1.1 200 OK\r\nContent-Le", "nonsense\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\nabc0\r\n\r\n",
        ])
    func broken(text: String) {
        #expect(received(text, pieces: 1).response == nil)
    }
}
