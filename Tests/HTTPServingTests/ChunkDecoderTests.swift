import Testing

@testable import HTTPServing

@Suite("The chunk decoder")
struct ChunkDecoderTests {
    @Test(
        "takes the framing off, wherever the bytes are cut",
        arguments: [
            ("5\r\nhello\r\n0\r\n\r\n", "hello"),
            ("0\r\n\r\n", ""),
            ("000\r\n\r\n", ""),
            ("1\r\na\r\n0A\r\nbcdefghijk\r\n0\r\n\r\n", "abcdefghijk"),
            ("2;a=b;c=\"d;\"\r\n\r\n\r\n0;x\r\n\r\n", "\r\n"),
            ("1 \t;a\r\na\r\n0\r\n\r\n", "a"),
            ("0000000000000001\r\na\r\n0\r\n\r\n", "a"),
            ("1\r\na\r\n0\r\nContent-Length: 5\r\nX:\r\n\r\n", "a"),
        ])
    func decodes(_ text: String, _ body: String) {
        let bytes = Array(text.utf8) + Array("GET".utf8)
        #expect(decode(bytes, cutting: []) == .body(Array(body.utf8), used: text.utf8.count))
        for cut in bytes.indices {
            #expect(decode(bytes, cutting: [cut]) == .body(Array(body.utf8), used: text.utf8.count), "cut at \(cut)")
        }
        #expect(decode(bytes, cutting: Array(bytes.indices)) == .body(Array(body.utf8), used: text.utf8.count))
    }

    @Test(
        "refuses what is not plain hexadecimal, overflows, or ends elsewhere than it says",
        arguments: [
            "0x5\r\nhello\r\n0\r\n\r\n", "x\r\n", "\r\n", " 5\r\nhello\r\n", "+5\r\n", "-1\r\n", "5 \r\nhello\r\n",
            "5 5\r\n", "g\r\n", "5\nhello\r\n", "5\rhello", "5\r\nhelloX", "5\r\nhello\n", "5\r\nhello\rX",
            "8000000000000000\r\n", "ffffffffffffffff\r\n", "10000000000000000\r\n", "00000000000000001\r\n",
            "5;a\nb\r\n", "5;a\rb\r\n", "5;a\u{0}\r\n", ";a\r\n", "5\r\nhello\r\n0\r\n\n", "0\r\n: a\r\n\r\n",
            "0\r\nA b: c\r\n\r\n", "0\r\n folded\r\n\r\n", "0\r\nA: b\nc\r\n\r\n", "0\r\nA\r\n\r\n", "0\r\n\rX",
        ])
    func refuses(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(decode(bytes, cutting: []) == .fault(400))
        #expect(decode(bytes, cutting: Array(bytes.indices)) == .fault(400))
    }

    @Test("gives endless extensions and trailers up")
    func limits() {
        let long = String(repeating: "a", count: 5_000)
        #expect(decode(Array("1;\(long)\r\n".utf8), cutting: []) == .fault(431))
        #expect(decode(Array("0\r\nA: \(long)\r\n\r\n".utf8), cutting: []) == .fault(431))
        let many = String(repeating: "1;abcdefgh\r\na\r\n", count: 600)
        #expect(decode(Array(many.utf8), cutting: []) == .fault(431))
        let plain = String(repeating: "1\r\na\r\n", count: 10_000)
        #expect(decode(Array(plain.utf8), cutting: []) == .incomplete(10_000))
    }
}

/// What came of a chunked body.
enum Decoded: Equatable {
    case body([UInt8], used: Int)
    /// That many bytes of the body so far.
    case incomplete(Int)
    case fault(Int)
}

func decode(_ bytes: [UInt8], cutting cuts: [Int]) -> Decoded {
    var decoder = ChunkDecoder()
    var body: [UInt8] = []
    var index = 0
    do {
        for end in cuts + [bytes.count] {
            while index < end {
                switch try bytes[index..<end].withUnsafeBytes({ try decoder.next($0) }) {
                case .framing(let count): index += count
                case .data(let after, let count):
                    body += bytes[(index + after)..<(index + after + count)]
                    index += after + count
                case .end(let count): return .body(body, used: index + count)
                }
            }
        }
        return decoder.isOver ? .body(body, used: index) : .incomplete(body.count)
    } catch {
        return .fault((error as? HTTPError)?.status ?? 0)
    }
}
