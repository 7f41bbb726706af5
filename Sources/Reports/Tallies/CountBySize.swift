/// How many clusters hold so many plays. Most hold few.
struct CountBySize: Sendable {
    private static let small = 256

    private var ofSmall: [Int64] = []
    private var ofLarge: [Int64: Int64] = [:]

    /// Adds clusters of a size, or takes some away.
    mutating func add(_ size: Int64, _ count: Int64) {
        if size >= 0, size < Self.small {
            while ofSmall.count <= size { ofSmall.append(0) }
            ofSmall[Int(size)] += count
        } else {
            ofLarge[size, default: 0] += count
        }
    }

    /// Sizes with the number of their clusters, ascending.
    var counts: [(size: Int64, count: Int64)] {
        let small = ofSmall.enumerated().filter { $1 != 0 }.map { (Int64($0), $1) }
        return small + ofLarge.filter { $1 != 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
