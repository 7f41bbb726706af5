internal import Foundation

/// The cells that are not as they were in the export before, for `changes.csv`.
struct ExportChanges {
    /// How many columns after the period say what a row is about.
    let names: [String]

    private(set) var records: [[String]] = []

    /// - Parameter dimensions: the columns of the groups.
    init(dimensions: [String]) {
        names = dimensions
    }

    var columns: [String] {
        ["file", "period"] + names + ["error_code", "phase", "column", "before", "after", "difference"] + ownNames
    }

    var text: String { ([columns] + records).map(CSVRenderer.line).joined() }

    /// Adds what differs in one file, on the days that the export before had: what has left has nothing after.
    mutating func add(from before: ExportFile, to after: ExportFile) {
        for day in before.days.keys.sorted() {
            let old = rows(before, day)
            let new = rows(after, day)
            for key in Set(old.keys).union(new.keys).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                compare(after, day, old[key], new[key])
            }
        }
    }

    /// What rows of `volume.csv` and `histogram.csv` are about beside the groups; each column was added in its turn.
    private var ownNames: [String] { ["cdn", "cdn_region", "upper_ms"].filter { !names.contains($0) } }

    /// Columns beside those of the groups that say what a row is about.
    private static let keys: Set = ["cdn", "cdn_region", "error_code", "phase", "upper_ms"]

    /// The columns that say what a row is about, by their place.
    private func keys(_ file: ExportFile) -> [Int] {
        file.columns.indices.filter { index in
            (1...names.count + 1).contains(index) && names.contains(file.columns[index])
                || Self.keys.contains(file.columns[index])
        }
    }

    private func rows(_ file: ExportFile, _ day: String) -> [[ByteText]: [String]] {
        let keys = keys(file)
        var rows: [[ByteText]: [String]] = [:]
        for record in file.days[day] ?? [] { rows[keys.map { ByteText(record[$0]) }] = record }
        return rows
    }

    private mutating func compare(_ file: ExportFile, _ day: String, _ old: [String]?, _ new: [String]?) {
        guard let row = new ?? old else { return }
        let keys = Set(keys(file))
        func named(_ column: String) -> String {
            file.columns.firstIndex(of: column).map { row[$0] } ?? ""
        }
        let isKeyed = names.contains("error_code")
        let about = names.map(named) + (isKeyed ? ["", named("phase")] : [named("error_code"), named("phase")])
        for column in file.columns.indices.dropFirst() where !keys.contains(column) {
            let (before, after) = (old?[column] ?? "", new?[column] ?? "")
            guard before != after else { continue }
            records.append(
                [file.name, day] + about + [file.columns[column], before, after, Self.difference(before, after)]
                    + ownNames.map(named))
        }
    }

    /// After less before, with as many decimals as they have; empty where one of them is.
    static func difference(_ before: String, _ after: String) -> String {
        if let old = Int128(before), let new = Int128(after) { return String(new - old) }
        guard let old = Double(before), let new = Double(after) else { return "" }
        return String(format: "%.6f", new - old)
    }
}
