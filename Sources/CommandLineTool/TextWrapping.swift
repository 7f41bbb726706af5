/// Breaks help texts into lines.
enum TextWrapping {
    /// `text` in lines of at most 100 columns, each indented and ended.
    static func wrap(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var result = ""
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > 100 {
                result += margin + line + "\n"
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? result : result + margin + line + "\n"
    }

    /// Paragraphs in lines of at most 100 columns; lines that are indented stay as they are.
    static func wrapParagraphs(_ text: String) -> String {
        var result = ""
        var paragraph: [Substring] = []
        func end() {
            result += wrap(paragraph.joined(separator: " "), indent: 0)
            paragraph.removeAll()
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty || line.hasPrefix(" ") {
                end()
                result += line + "\n"
            } else {
                paragraph.append(line)
            }
        }
        end()
        return result
    }
}
