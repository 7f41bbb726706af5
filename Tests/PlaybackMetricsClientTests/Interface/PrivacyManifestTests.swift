import Foundation
import TestSupport
import Testing

@Suite("The privacy manifest")
struct PrivacyManifestTests {
    private struct Manifest: Decodable {
        struct Collected: Decodable {
            var NSPrivacyCollectedDataType: String
            var NSPrivacyCollectedDataTypeLinked: Bool
            var NSPrivacyCollectedDataTypeTracking: Bool
            var NSPrivacyCollectedDataTypePurposes: [String]
        }

        struct Accessed: Decodable {}

        var NSPrivacyTracking: Bool
        var NSPrivacyTrackingDomains: [String]
        var NSPrivacyCollectedDataTypes: [Collected]
        var NSPrivacyAccessedAPITypes: [Accessed]
    }

    @Test("says what is collected: how plays went, linked to nobody, tracked nowhere")
    func manifest() throws {
        let file = Checkout.root.appendingPathComponent("Sources/PlaybackMetricsClient/PrivacyInfo.xcprivacy")
        let manifest = try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
        #expect(!manifest.NSPrivacyTracking)
        #expect(manifest.NSPrivacyTrackingDomains.isEmpty && manifest.NSPrivacyAccessedAPITypes.isEmpty)
        #expect(
            manifest.NSPrivacyCollectedDataTypes.map(\.NSPrivacyCollectedDataType) == [
                "NSPrivacyCollectedDataTypePerformanceData", "NSPrivacyCollectedDataTypeProductInteraction",
                "NSPrivacyCollectedDataTypeOtherDiagnosticData",
            ])
        for collected in manifest.NSPrivacyCollectedDataTypes {
            #expect(!collected.NSPrivacyCollectedDataTypeLinked && !collected.NSPrivacyCollectedDataTypeTracking)
            #expect(collected.NSPrivacyCollectedDataTypePurposes == ["NSPrivacyCollectedDataTypePurposeAnalytics"])
        }
    }
}
