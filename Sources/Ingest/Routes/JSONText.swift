internal import Platform

/// Writes small JSON objects: answers and log lines.
package struct JSONText {
    package private(set) var text = "{"
    private var isFirst = true

    package init() {}

    package mutating func add(_ key: String, _ value: String) {
        addRaw(key, JSONString.quoted(value))
    }

    package mutating func add(_ key: String, _ value: Int) {
        addRaw(key, String(value))
    }

    /// Adds a value that is JSON already.
    package mutating func addRaw(_ key: String, _ json: String) {
        if !isFirst { text += "," }
        isFirst = false
        text += JSONString.quoted(key) + ":" + json
    }

    package var closed: String { text + "}" }
}
