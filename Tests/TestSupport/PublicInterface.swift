package import Foundation

/// What a module shows to others, read from the graph of its symbols.
package struct PublicInterface {
    /// One line a symbol: its path, two spaces, its declaration; sorted.
    package let lines: [String]
    /// The paths of symbols without documentation.
    package let undocumented: [String]

    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Identifier: Decodable { var precise: String }
            struct Fragment: Decodable { var spelling: String }
            struct Comment: Decodable {}

            var identifier: Identifier
            var pathComponents: [String]
            var declarationFragments: [Fragment]
            var docComment: Comment?
        }

        struct Relationship: Decodable {
            var kind: String
            var source: String
            var target: String
            var targetFallback: String?
        }

        var symbols: [Symbol]
        var relationships: [Relationship]
    }

    /// - Parameter symbolGraph: a file `MODULE.symbols.json` as the compiler writes it.
    package init(symbolGraph: URL) throws {
        let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: symbolGraph))
        // What a conformance brings along is not written here.
        let own = graph.symbols.filter { !$0.identifier.precise.contains("::SYNTHESIZED::") }
        let conformances = Dictionary(grouping: graph.relationships.filter { $0.kind == "conformsTo" }, by: \.source)
        let names = Dictionary(
            graph.symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
            uniquingKeysWith: { first, _ in first })
        lines = own.map { symbol in
            let declaration = symbol.declarationFragments.map(\.spelling).joined()
            let protocols = (conformances[symbol.identifier.precise] ?? []).map {
                $0.targetFallback ?? names[$0.target] ?? $0.target
            }
            .filter { $0 != "Swift.SendableMetatype" }
            let conforming = protocols.isEmpty ? "" : "  conforms to \(protocols.sorted().joined(separator: ", "))"
            return "\(symbol.pathComponents.joined(separator: "."))  \(declaration)\(conforming)"
        }.sorted()
        undocumented = own.filter { $0.docComment == nil && $0.pathComponents.last != "init(rawValue:)" }
            .map { $0.pathComponents.joined(separator: ".") }.sorted()
    }

    /// Compares with a list that was kept, one line a symbol.
    ///
    /// With `RECORD_INTERFACE=1` in the environment the list is written anew: so a change is made on purpose.
    ///
    /// - Returns: the lines that differ, with `+` before new ones and `-` before missing ones.
    package func difference(from list: URL) throws -> [String] {
        if ProcessInfo.processInfo.environment["RECORD_INTERFACE"] == "1" {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: list)
        }
        let kept = Set(try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init))
        let now = Set(lines)
        return now.subtracting(kept).map { "+ \($0)" }.sorted() + kept.subtracting(now).map { "- \($0)" }.sorted()
    }
}
