/// A device that sends a request: what all of its plays share, and the network that it is in.
struct SampleDevice {
    let senderId: String
    let context: String
    private(set) var cdn: String
    private(set) var region: String
    private(set) var network: String

    private static let regions = [
        "eu-west", "eu-north", "eu-central", "us-east", "us-west", "us-central", "sa-east", "ap-south", "ap-northeast",
        "ap-southeast", "me-central", "af-south",
    ]
    private static let models = ["iPhone15,2", "iPhone16,1", "iPhone14,5", "iPad13,4", "AppleTV14,1", "iPhone12,8"]

    init(using chance: inout SeededGenerator) {
        senderId = String(unsafeUninitializedCapacity: 36) { text in
            text.initialize(repeating: UInt8(ascii: "-"))
            guard let base = text.baseAddress else { return 0 }
            RandomUUID.put(chance.next(), chance.next(), at: UnsafeMutableRawPointer(base))
            return 36
        }
        let minor = Int.random(in: 0..<6, using: &chance)
        let model = Self.models[Int.random(in: 0..<Self.models.count, using: &chance)]
        let arm = chance.isOneOf(500) ? "id_scoped_pool" : "reuse_pool"
        context =
            "\"source\":\"stream\",\"appVersion\":\"5.\(minor).0\",\"osVersion\":\"iOS 18.\(minor / 2)\","
            + "\"deviceModel\":\"\(model)\",\"player\":\"AVPlayer\","
            + "\"tags\":{\"lifecycle\":\"\(arm)\",\"preloaded\":\"yes\"}"
        cdn = chance.isOneOf(700) ? "fastly" : "cloudfront"
        // Regions are of very different size.
        let first = Int.random(in: 0..<Self.regions.count, using: &chance)
        region = Self.regions[min(first, Int.random(in: 0..<Self.regions.count, using: &chance))]
        network = chance.isOneOf(650) ? "wifi" : "cellular"
    }

    /// Between two plays a device may change its network.
    mutating func move(using chance: inout SeededGenerator) {
        if chance.isOneOf(30) { network = network == "wifi" ? "cellular" : "wifi" }
    }
}
