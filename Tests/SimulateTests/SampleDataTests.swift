import Foundation
import TestSupport
import Testing

@Suite("The sample data")
struct SampleDataTests {
    private let path = Checkout.root.appendingPathComponent("sample-data/two-days.ndjson.gz").path

    @Test("is what its command writes: qoe-simulate --output - --sessions 300 --seed 1 | gzip -9 -n")
    func content() async throws {
        let unpacked = try BuiltProgram.run("gzip", ["-dc", path])
        let recorded = try await RecordedPlays.twoDays.value
        #expect(unpacked.status == 0)
        // Without the values: their difference would take hours to be worked out.
        let isSame = Data(unpacked.output.utf8) == recorded.bytes
        #expect(isSame)
    }

    @Test("is at most a mebibyte")
    func size() throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(try #require(attributes[.size] as? Int) <= 1 << 20)
    }
}
