import Foundation
import PlaybackEvents
import Testing
import TestSupport

@Suite("The documentation")
struct DocumentationTests {
    @Test("compiles without a warning, so that no link leads nowhere")
    func compiles() throws {
        let folder = try TemporaryFolder()
        let result = try BuiltProgram.run(
            "docc",
            [
                "convert", Checkout.root.appendingPathComponent(Article.catalogue).path, "--warnings-as-errors",
                "--output-path", folder.path("documentation"),
            ])
        #expect(result.status == 0, "docc says: \(result.errors)\(result.output)")
    }

    @Test("explains every code with which an event or a request is refused")
    func codes() throws {
        let codes = try Article("WireFormat").codes
        for code in Rejection.Code.allCases { #expect(codes.contains(code.rawValue)) }
        for code in RequestFault.Code.allCases { #expect(codes.contains(code.rawValue)) }
    }

    @Test("shows requests that are taken as they stand")
    func requests() throws {
        let examples = try Article("WireFormat").blocks("json").filter { $0.contains("\"events\"") }
        #expect(examples.count >= 2)
        for example in examples {
            let receipt = Receipt(receivedAt: 1_796_000_000_000, requestId: Identifier128(high: 1, low: 1))
            let batch = try RequestDecoder.decode(Array(example.utf8), receipt: receipt)
            #expect(batch.rejections.isEmpty && !batch.plays.isEmpty && batch.unknownFields == 0)
            #expect(!example.contains("\"sender\"") || batch.account != nil)
        }
    }

    @Test("shows lines of the archive and of the quarantine that read back")
    func lines() throws {
        let examples = try Article("Architecture").blocks("json").map { Array($0.utf8.dropLast()) }
        #expect(examples.count == 3)
        var plays = LoggedPlays()
        for line in examples.prefix(2) { try line.withUnsafeBytes { line throws in try plays.append(line: line) } }
        #expect(plays.entries.count == 2)
        let rejected = try examples[2].withUnsafeBytes { line throws in try QuarantineLine.parse(line) }
        #expect(Rejection.Code(rawValue: rejected.code) != nil)
    }
}
