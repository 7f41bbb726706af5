/// What a response shows of the edge that sent it: its header fields, the server's address, the host that was asked.
///
/// An app turns it into a ``CDNEdge`` with a function of its own, or with a reader of this library:
/// ``CDNEdge/known(_:)`` for the four CDNs below, or one of them alone.
///
/// ```swift
/// let evidence = EdgeEvidence(headers: ["X-Amz-Cf-Pop": "FRA60-P8"])
/// let edge = CDNEdge.known(evidence)  // cloudfront, FRA
/// ```
public struct EdgeEvidence: Sendable, Hashable {
    /// The response's header fields, by name in lower-case letters.
    public private(set) var headers: [String: String] = [:]
    /// The address of the server that answered.
    public var serverAddress: String?
    /// The host of the address that was asked.
    public var host: String?

    /// Evidence, as much as there is; the names of header fields in any letter case.
    public init(headers: [String: String] = [:], serverAddress: String? = nil, host: String? = nil) {
        for (name, value) in headers { self.headers[name.lowercased()] = value }
        self.serverAddress = serverAddress
        self.host = host
    }

    /// The value of a header field, by name in any letter case.
    public subscript(header name: String) -> String? { headers[name.lowercased()] }

    fileprivate func comes(fromDomains domains: String...) -> Bool {
        guard let host = host?.lowercased() else { return false }
        return domains.contains { host == $0 || host.hasSuffix("." + $0) }
    }
}

extension CDNEdge {
    /// The edge of whichever of the four CDNs below the evidence names; `nil` for any other.
    public static func known(_ evidence: EdgeEvidence) -> CDNEdge? {
        cloudFront(evidence) ?? fastly(evidence) ?? cloudflare(evidence) ?? akamai(evidence)
    }

    /// Amazon CloudFront: `X-Amz-Cf-Pop` begins with the airport nearest to the edge (`FRA60-P8`).
    public static func cloudFront(_ evidence: EdgeEvidence) -> CDNEdge? {
        if let pop = evidence[header: "x-amz-cf-pop"] {
            return CDNEdge(cdn: "cloudfront", region: airport(pop.prefix { $0.isLetter }))
        }
        return evidence.comes(fromDomains: "cloudfront.net") ? CDNEdge(cdn: "cloudfront") : nil
    }

    /// Fastly: the last cache in `X-Served-By` is the one nearest to the viewer, and ends with an airport
    /// (`cache-iad-kjyo7100125-IAD, cache-fra-etou8220083-FRA`).
    public static func fastly(_ evidence: EdgeEvidence) -> CDNEdge? {
        let caches = evidence[header: "x-served-by"]?.split(separator: ",").map { $0.drop { $0 == " " } } ?? []
        if let edge = caches.last, edge.hasPrefix("cache-") {
            return CDNEdge(cdn: "fastly", region: airport(edge.split(separator: "-").last ?? ""))
        }
        return evidence.comes(fromDomains: "fastly.net", "fastlylb.net") ? CDNEdge(cdn: "fastly") : nil
    }

    /// Cloudflare: `CF-RAY` ends with the airport nearest to the data centre (`8f1b2c3d4e5f6a7b-AMS`).
    public static func cloudflare(_ evidence: EdgeEvidence) -> CDNEdge? {
        if let ray = evidence[header: "cf-ray"] {
            let parts = ray.split(separator: "-")
            return CDNEdge(cdn: "cloudflare", region: parts.count == 2 ? airport(parts[1]) : nil)
        }
        return evidence.comes(fromDomains: "cloudflarestream.com", "cloudflare.net")
            ? CDNEdge(cdn: "cloudflare") : nil
    }

    /// Akamai, by its breadcrumbs, its request number, its server's name, its caches in `X-Cache`, or its domains.
    ///
    /// Only breadcrumbs name where the edge is, as country, state and city (`US_CA_SANJOSE`). Akamai sends them, as
    /// `Akamai-Request-BC`, where the property has the behaviour *Breadcrumbs*; without it the app has to know the region.
    public static func akamai(_ evidence: EdgeEvidence) -> CDNEdge? {
        if let breadcrumbs = evidence[header: "akamai-request-bc"] {
            return CDNEdge(cdn: "akamai", region: place(in: breadcrumbs))
        }
        let names = ["akamai-grn", "akamai-request-id", "x-akamai-request-id", "akamai-cache-status"]
        let isNamed = names.contains { evidence[header: $0] != nil }
        let isServer = ["server", "x-cache"].contains { name in
            let value = evidence[header: name]?.lowercased() ?? ""
            return value.contains("akamaighost") || value.contains("akamainetstorage")
                || value.contains("akamaitechnologies")
        }
        let isHost = evidence.comes(
            fromDomains: "akamaized.net", "akamaihd.net", "akamai.net", "edgesuite.net", "edgekey.net")
        return isNamed || isServer || isHost ? CDNEdge(cdn: "akamai") : nil
    }

    /// Where the edge is by Akamai's breadcrumbs, `[a=…,b=…,c=g,n=US_CA_SANJOSE,o=20940],[c=p,…]`: the component `g` is the
    /// server that the viewer is connected to; the others lie behind it.
    private static func place(in breadcrumbs: String) -> PlaybackLabel? {
        for crumb in breadcrumbs.split(separator: "]") {
            let fields = crumb.split { $0 == "[" || $0 == "," || $0 == " " }
            guard fields.contains("c=g") else { continue }
            return fields.first { $0.hasPrefix("n=") }.flatMap { PlaybackLabel(String($0.dropFirst(2))) }
        }
        return nil
    }

    /// An airport's code of three letters, in capitals; `nil` for anything else.
    private static func airport(_ code: some StringProtocol) -> PlaybackLabel? {
        let capitals = code.uppercased()
        guard capitals.utf8.count == 3, capitals.utf8.allSatisfy({ (65...90).contains($0) }) else { return nil }
        return PlaybackLabel(capitals)
    }
}

/// Who serves a play: a CDN, and the region of its edge.
public struct CDNEdge: Sendable, Hashable {
    /// The CDN; `nil`: not known.
    public var cdn: PlaybackLabel?
    /// The edge region; `nil`: not known.
    public var region: PlaybackLabel?

    /// An edge, as far as it is known.
    public init(cdn: PlaybackLabel? = nil, region: PlaybackLabel? = nil) {
        self.cdn = cdn
        self.region = region
    }

    /// This edge with what `later` knows: the last known value stands, and what is not known erases nothing.
    func updated(with later: CDNEdge) -> CDNEdge {
        CDNEdge(cdn: later.cdn ?? cdn, region: later.region ?? region)
    }

    /// Whether `later` names another CDN or another region than this one does.
    func isContradicted(by later: CDNEdge) -> Bool {
        func differ(_ one: PlaybackLabel?, _ other: PlaybackLabel?) -> Bool {
            one != nil && other != nil && one != other
        }
        return differ(cdn, later.cdn) || differ(region, later.region)
    }
}
