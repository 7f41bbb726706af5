/// The clusters of each session, one session after the other, over all parts of a count.
struct SessionClusters {
    private struct Place: BitwiseCopyable {
        let cluster: UnsafePointer<ClusterTable.Cluster>
        let part: Int
    }

    /// What a session has in a group, by the number that the group has in all parts.
    struct Share {
        var group: Int
        var sums: ClusterTable.Cluster
    }

    /// Keep the clusters where they are.
    private let tables: [ClusterTable]
    private let groups: [[Int]]
    private var places: [Place] = []
    /// By session, where its places end.
    private var ends: [Int] = []

    /// - Parameter groups: by part, the number of each of its groups.
    init(_ sessions: SessionTable, _ tables: [ClusterTable], groups: [[Int]]) {
        self.tables = tables
        self.groups = groups
        ends.reserveCapacity(sessions.count)
        places.reserveCapacity(sessions.count + sessions.count / 8)
        for session in 0..<sessions.count {
            sessions.forEachRun(of: session) { run in
                for part in tables.indices {
                    tables[part].forEach(of: run) { places.append(Place(cluster: $0, part: part)) }
                }
            }
            ends.append(places.count)
        }
    }

    /// Visits each session's shares, one a group.
    func forEach(_ visit: (_ session: Int32, [Share]) -> Void) {
        var session: [Share] = []
        places.withUnsafeBufferPointer { places in
            var start = 0
            for number in ends.indices {
                session.removeAll(keepingCapacity: true)
                for place in places[start..<ends[number]] {
                    let cluster = place.cluster.pointee
                    session.append(Share(group: groups[place.part][Int(cluster.group)], sums: cluster))
                }
                start = ends[number]
                if session.count > 1 { Self.unite(&session) }
                visit(Int32(number), session)
            }
        }
    }

    private static func unite(_ session: inout [Share]) {
        session.sort { $0.group < $1.group }
        var last = 0
        for index in 1..<session.count {
            if session[index].group == session[last].group {
                session[last].sums.add(session[index].sums)
            } else {
                last += 1
                session[last] = session[index]
            }
        }
        session.removeSubrange((last + 1)...)
    }
}
