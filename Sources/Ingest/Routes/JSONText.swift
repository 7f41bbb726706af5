/// Writes small JSON objects: answers and log lines.
package struct JSONText {
    package private(set) var text = "{"
    private var isFirst = true

    package init() {}

    package mutating func add(_ key: String, _ value: String) {
        addRaw(key, Self.quoted(value))
    }

    package mutating func add(_ key: String, _ value: Int) {
        addRaw(key, String(value))
    }

    /// Adds a value that is JSON already.
    package mutating func addRaw(_ key: String, _ json: String) {
        if !isFirst { text += "," }
        isFirst = false
        text += Self.quoted(key) + ":" + json
    }

    package var closed: String { text + "}" }

    /// A JSON string; controls, DEL, C1 controls and the two line separators are escaped, so that it stays one line.
    package static func quoted(_ value: String) -> String {
        var result = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
