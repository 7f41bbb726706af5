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
        Case(headers: ["cf-ray": "9ff29cc6cbac30b4-ARN"], cdn: "cloudflare", region: "ARN"),
        Case(
            headers: ["X-Amz-Cf-Pop": "MAD56-P5", "X-Cache": "Miss from cloudfront"], cdn: "cloudfront", region: "MAD"),
        Case(
            headers: ["X-Served-By": "cache-iad-kcgs7200076-IAD", "Via": "1.1 varnish"], cdn: "fastly", region: "IAD"),
        // As Akamai's guide shows them: from the edge's peer, and from the origin through a parent.
        Case(
            headers: [
                "Akamai-Request-BC":
                    "[a=12.34.56.89,b=12345678,c=g,n=US_CA_SANJOSE,o=20940],[c=p,n=US_CA_SANJOSE,o=55155]"
            ],
            cdn: "akamai", region: "US_CA_SANJOSE"),
        Case(
            headers: [
                "akamai-request-bc":
                    "[a=192.0.2.5,b=1031783839,c=g,n=TW__TAIPEI,o=20940],[c=c,n=US_CA_SANDIEGO,o=20940],[a=128,c=o]"
            ],
            cdn: "akamai", region: "TW__TAIPEI"),
        // Blanks in the place of commas are seen too.
        Case(
            headers: ["Akamai-Request-BC": "[a=23.205.70.102 b=505153526 c=g n=ID_JI_SURABAYA o=7713]"], cdn: "akamai",
            region: "ID_JI_SURABAYA"),
        Case(headers: ["Akamai-Request-BC": "[c=c,n=US_CA_SANDIEGO,o=20940]"], cdn: "akamai", region: nil),
        Case(headers: ["Akamai-Request-BC": "[c=g,n=(none)"], cdn: "akamai", region: nil),
        Case(headers: ["Akamai-Request-BC": "]["], cdn: "akamai", region: nil),
        Case(headers: ["Akamai-Request-ID": "1e1c07f6"], cdn: "akamai", region: nil),
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
