import Foundation
import TestSupport

/// The files of a log as an operator sees them: names, sizes, and what zcat makes of them.
struct LogFolder {
    let path: String

    /// - Parameter log: `archive` or `rejected`.
    init(data: String, _ log: String = "archive") {
        path = data + "/" + log
    }

    /// Every file in the log's order: its sequence stands before the ending.
    func files() -> [String] {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".ndjson.gz") }
            .sorted { Self.sequence($0) < Self.sequence($1) }
            .map { path + "/" + $0 }
    }

    /// The folders of days, in order.
    func days() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasPrefix("day=") }.sorted()
    }

    func size(of file: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int ?? -1
    }

    /// The size of all files together.
    var bytes: Int { files().map { size(of: $0) }.reduce(0, +) }

    /// The lines of one file; throws when zcat finds anything wrong with it.
    func lines(of file: String) throws -> [[String: Any]] {
        let result = try BuiltProgram.run("zcat", [file])
        guard result.status == 0 else { throw WaitedInVain("zcat: \(result.errors)") }
        return try result.output.split(separator: "\n").compactMap { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }
    }

    func lines() throws -> [[String: Any]] {
        try files().flatMap(lines(of:))
    }

    private static func sequence(_ name: String) -> Int {
        name.dropLast(".ndjson.gz".count).split(separator: "-").last.flatMap { Int($0) } ?? 0
    }
}
