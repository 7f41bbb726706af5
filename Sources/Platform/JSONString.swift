/// Texts as JSON has them.
package enum JSONString {
    /// The text in quotes. Besides what JSON demands, DEL, the controls beyond it and the two line separators are escaped:
    /// so it stays one line, does nothing to a terminal, and can stand in JavaScript.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                quoted += "\\u" + Hexadecimal.text(UInt64(scalar.value), digits: 4)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
