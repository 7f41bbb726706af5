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

/// The edges that served one play, by the evidence of its responses.
struct ServingEdges: Sendable, Hashable {
    /// As many as are told apart: a figure for a tag, which nobody reads beyond that.
    static let most = 100

    /// The edge that served last; `nil` without evidence.
    private(set) var last: CDNEdge?
    private var distinct: Set<CDNEdge> = []

    /// A play that nothing is known of yet, or that goes on where another was cut off.
    init(_ edge: CDNEdge? = nil) {
        if let edge { take(edge) }
    }

    /// A response came from `edge`.
    mutating func take(_ edge: CDNEdge) {
        guard edge != CDNEdge() else { return }
        let isOtherCDN = edge.cdn != nil && edge.cdn != last?.cdn
        // The region of one CDN is none of another's; and what is learned of the same edge makes it no other one.
        let next = isOtherCDN && last?.cdn != nil ? edge : (last ?? CDNEdge()).updated(with: edge)
        if let last, !last.isContradicted(by: next) { distinct.remove(last) }
        if distinct.count < Self.most { distinct.insert(next) }
        last = next
    }

    /// How many edges served.
    var count: Int { distinct.count }
}
