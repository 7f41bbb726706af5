internal import Reports

extension PlayStretch {
    /// Rows of a table that have to be read, by their hours.
    struct Rows {
        var first: Int64
        var last: Int64
        /// Otherwise they are wanted for nothing but their receipt.
        var areWhole: Bool

        fileprivate init?(from first: Int64, to last: Int64, areWhole: Bool) {
            guard first <= last else { return nil }
            (self.first, self.last, self.areWhole) = (first, last, areWhole)
        }

        /// From WHERE on; empty for all rows.
        var condition: String {
            first == .min && last == .max ? "" : " WHERE hour BETWEEN \(first) AND \(last)"
        }
    }

    /// No play is placed further before its receipt than this, in hours.
    private static let longestAge: Int64 = 30 * 24

    /// The rows of a table that have to be read, in their order.
    func rows(of table: PlayTable) -> [Rows] {
        var (least, most) = (Int64.min, Int64.max)
        switch half {
        case nil: break
        case .before(let hour):
            // The order of a whole is that of the tables: the second half has all of the last one.
            guard table == .prompt else { return [] }
            most = hour - 1
        case .after(let hour): if table == .prompt { least = hour }
        }
        guard let hours else { return [Rows(from: least, to: most, areWhole: true)].compactMap { $0 } }
        let (first, last) = (hours.lowerBound, hours.upperBound)
        var rows = [Rows(from: max(least, first), to: min(most, last), areWhole: true)]
        if let receipts {
            let oldest = receipts.lowerBound - (table == .prompt ? 1 : Self.longestAge)
            rows.insert(Rows(from: max(least, oldest), to: min(most, first - 1), areWhole: false), at: 0)
            rows.append(
                Rows(from: max(least, last + 1), to: min(most, receipts.upperBound), areWhole: false))
        }
        return rows.compactMap { $0 }
    }
}
