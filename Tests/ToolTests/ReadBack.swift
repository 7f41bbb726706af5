import Foundation
import Testing
import TestSupport

/// What the programs that people read CSV files with found in them, by `read_back.py`.
struct ReadBack: Decodable {
    enum Cell: Decodable, Equatable, CustomStringConvertible {
        case none
        case number(Double)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .none
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        var description: String {
            switch self {
            case .none: "nothing"
            case .number(let number): "\(number)"
            case .text(let text): text
            }
        }

        /// Equal, but for the last bit of a fraction: SQLite reads decimals no better.
        func isSame(_ other: Cell) -> Bool {
            guard case (.number(let one), .number(let two)) = (self, other) else { return self == other }
            return abs(one - two) <= 1e-14 * max(abs(one), abs(two))
        }

        /// The same cell as a program sees it that takes all cells for text.
        func isSame(asText text: String) -> Bool {
            switch self {
            case .none: text.isEmpty
            case .number(let number): Double(text) == number
            case .text(let own): own == text
            }
        }
    }

    typealias Row = [String: Cell]

    /// Column types: `text`, `date`, `whole`, `real`.
    var types: [String: String]
    var rows: [Row]
    /// The sum of the column `plays`, computed by the program; nil without such a column.
    var plays: Int?

    /// The programs, and what each found in each file of a folder that has rows.
    static func files(_ folder: String) throws -> [String: [String: ReadBack]] {
        try JSONDecoder().decode([String: [String: ReadBack]].self, from: run(["files", folder]))
    }

    /// The rows of a DuckDB query.
    ///
    /// - Parameter folder: where `qoe-data` lies.
    static func duckDB(_ query: String, in folder: TemporaryFolder) throws -> [Row] {
        let file = folder.path("query.sql")
        try query.write(toFile: file, atomically: true, encoding: .utf8)
        return try JSONDecoder().decode([Row].self, from: run(["query", file], folder: folder.path))
    }

    private static func run(_ words: [String], folder: String = "/") throws -> Data {
        let python = Checkout.root.appendingPathComponent(".build/reader-venv/bin/python").path
        let script = Checkout.root.appendingPathComponent("Tests/ToolTests/read_back.py").path
        let result = try BuiltProgram.run("env", ["-C", folder, python, script] + words)
        try #require(result.status == 0, "\(result.errors)")
        return Data(result.output.utf8)
    }
}
