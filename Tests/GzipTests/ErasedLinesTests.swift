import Testing

@testable import Gzip

@Suite("The compressor of lines with erased ones among them")
struct ErasedLinesTests {
    private func line(_ number: Int) -> String {
        #"{"playId":"\#(number * 7_919_993 % 1_000_003)-\#(number)","watchedMs":\#(number * 31 % 977),"receivedAt":1,"requestId":"\#(number / 3)-5f0c7d1a9be34c02"}"#
            + "\n"
    }

    @Test("gives back what it was given, with lines of both kinds in any order")
    func roundTrip() throws {
        for pattern in 0..<200 {
            let text = (0..<40).map { number in
                pattern >> (number % 8) & 1 == 0
                    ? line(number)
                    : number % 2 == 0
                        ? "{\"erased\":1}\n"
                        : "{\"erased\":1,\"receivedAt\":1,\"requestId\":\"\(number / 3)-5f0c7d1a9be34c02\"}\n"
            }.joined()
            let bytes = Array(text.utf8)
            #expect(try Gunzip.inflate(LineCompressor().member(bytes), limit: 1 << 20) == bytes, "\(pattern)")
        }
    }

    @Test("makes no much longer member of an erased line than of the one that stood there")
    func size() {
        let whole = (0..<400).map(line)
        let before = LineCompressor().member(Array(whole.joined().utf8)).count
        for erased in [0, 1, 200, 399] {
            var lines = whole
            lines[erased] = "{\"erased\":1,\"receivedAt\":1,\"requestId\":\"\(erased / 3)-5f0c7d1a9be34c02\"}\n"
            #expect(LineCompressor().member(Array(lines.joined().utf8)).count < before + 40, "\(erased)")
        }
    }
}
