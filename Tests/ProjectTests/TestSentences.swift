/// The tests of this checkout, each as a sentence: the names of its suites, from the outside in, and its own.
struct TestSentences {
    /// A test and the types round it, from the outside in.
    private struct Found {
        var types: [String]
        var name: String
    }

    private var suites: [String: String] = [:]
    private var found: [Found] = []

    init() throws {
        for file in try SourceTree.files(below: ["Tests"], suffix: ".swift") { read(file) }
    }

    var all: Set<String> {
        Set(
            found.compactMap { test in
                let around = test.types.compactMap { suites[$0] }
                return around.isEmpty ? nil : (around + [test.name]).joined(separator: " ")
            })
    }

    private mutating func read(_ file: SourceTree.File) {
        let lines = file.lines
        var scopes: [(indentation: Int, type: String)] = []
        var suite: String?
        for (position, line) in lines.enumerated() {
            let indentation = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
            let text = Substring(line.utf8.dropFirst(indentation))
            if text.hasPrefix("@Suite(") { suite = Self.literal(lines[position...]) }
            if let name = Self.declaredType(text) {
                let type = "\(file.target).\(name)"
                scopes.removeAll { $0.indentation >= indentation }
                scopes.append((indentation, type))
                if let name = suite { suites[type] = name }
                suite = nil
            }
            if text.hasPrefix("@Test("), let name = Self.literal(lines[position...]) {
                let types = scopes.filter { $0.indentation < indentation }.map(\.type)
                found.append(Found(types: types, name: name))
            }
        }
    }

    private static let beginnings = [
        "struct ", "class ", "actor ", "enum ", "extension ", "final ", "private ", "package ", "@",
    ]

    private static func declaredType(_ line: Substring) -> String? {
        guard beginnings.contains(where: line.hasPrefix) else { return nil }
        let words = /^(?:@\w+(?:\(.*\))? )*(?:[a-z]+ )*?(?:struct|class|actor|enum|extension) (\w+)/
        return line.prefixMatch(of: words).map { String($0.output.1) }
    }

    /// The first text between quotes in the first three lines.
    private static func literal(_ lines: ArraySlice<Substring>) -> String? {
        let text = lines.prefix(3).joined(separator: "\n")
        return text.firstMatch(of: /"((?:[^"\\]|\\.)*)"/).map { String($0.output.1) }
    }
}
