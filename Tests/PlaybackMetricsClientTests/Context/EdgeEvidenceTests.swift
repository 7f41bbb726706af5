import PlaybackMetricsClient
import Testing

@Suite("The edge that a response shows")
struct EdgeEvidenceTests {
    struct Case: Sendable {
        var headers: [String: String]
        var cdn: PlaybackLabel?
        var region: PlaybackLabel?
    }

    /// Header fields as the CDNs send them.
    static let responses: [Case] = [
        Case(
            headers: ["X-Amz-Cf-Pop": "FRA60-P8", "X-Cache": "Hit from cloudfront"], cdn: "cloudfront", region: "FRA"),
        Case(headers: ["x-amz-cf-pop": "IAD89-C1"], cdn: "cloudfront", region: "IAD"),
        Case(headers: ["x-amz-cf-pop": "SFO5-C3"], cdn: "cloudfront", region: "SFO"),
        Case(headers: ["x-amz-cf-pop": "7"], cdn: "cloudfront", region: nil),
        Case(headers: ["X-Served-By": "cache-fra-etou8220083-FRA"], cdn: "fastly", region: "FRA"),
        Case(
            headers: ["X-Served-By": "cache-iad-kjyo7100125-IAD, cache-lhr-egll1980054-LHR"], cdn: "fastly",
            region: "LHR"),
        Case(headers: ["X-Served-By": "cache-lcy19245-LCY"], cdn: "fastly", region: "LCY"),
        Case(headers: ["X-Served-By": "cache-lcy19245"], cdn: "fastly", region: nil),
        Case(headers: ["X-Served-By": "web-3"], cdn: nil, region: nil),
        Case(headers: ["X-Served-By": ""], cdn: nil, region: nil),
        Case(headers: ["CF-RAY": "230b030023ae2822-SJC", "Server": "cloudflare"], cdn: "cloudflare", region: "SJC"),
        Case(headers: ["CF-RAY": "8f1b2c3d4e5f6a7b"], cdn: "cloudflare", region: nil),
        Case(headers: ["Akamai-GRN": "0.5c2d3e17.1700000000.1a2b3c4d"], cdn: "akamai", region: nil),
        Case(
            headers: [
                "X-Cache": "TCP_MEM_HIT from a23-45-67-89.deploy.akamaitechnologies.com (AkamaiGHost/22.0.0-1) (-)"
            ],
            cdn: "akamai", region: nil),
        Case(headers: ["Server": "AkamaiNetStorage"], cdn: "akamai", region: nil),
        Case(headers: ["Server": "nginx", "X-Cache": "HIT"], cdn: nil, region: nil),
        Case(headers: [:], cdn: nil, region: nil),
    ]

    @Test("is read off the header fields of CloudFront, Fastly, Cloudflare and Akamai", arguments: responses)
    func headers(_ response: Case) {
        let edge = CDNEdge.known(EdgeEvidence(headers: response.headers))
        #expect(edge?.cdn == response.cdn)
        #expect(edge?.region == response.region)
    }

    @Test(
        "is the CDN alone when only the host is known",
        arguments: [
            ("d111111abcdef8.cloudfront.net", "cloudfront"), ("example.global.ssl.fastly.net", "fastly"),
            ("customer-1.cloudflarestream.com", "cloudflare"), ("media.akamaized.net", "akamai"),
            ("CLIPS.AKAMAIHD.NET", "akamai"), ("akamaized.net.example.com", nil), ("notakamaized.net", nil),
            ("media.example.com", nil),
        ] as [(String, PlaybackLabel?)])
    func hosts(_ host: String, _ cdn: PlaybackLabel?) {
        let edge = CDNEdge.known(EdgeEvidence(serverAddress: "192.0.2.1", host: host))
        #expect(edge?.cdn == cdn && edge?.region == nil)
    }

    @Test("is found whatever the letter case of a field's name")
    func letterCase() {
        let evidence = EdgeEvidence(headers: ["Cf-Ray": "a-FRA"])
        #expect(evidence[header: "CF-RAY"] == "a-FRA" && evidence.headers == ["cf-ray": "a-FRA"])
    }
}
