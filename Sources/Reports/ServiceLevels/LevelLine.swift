/// A line of a file of service levels as its words, without its comment.
///
/// Blanks part words, outside of double quotes. A value in quotes follows `=` at once; a quote inside it is written twice.
struct LevelLine {
    struct Word {
        /// Without the quotes round its value.
        var text: String
        /// It ends with a value in quotes, to which nothing more belongs.
        var isQuoted = false
    }

    private(set) var words: [Word] = []
    /// The line as it was written, without comment and blanks round it.
    private(set) var text = ""

    /// - Throws: where a quote is not closed, or not followed by a blank.
    init(_ line: some Sequence<Unicode.Scalar>) throws(ReportRequestError) {
        var rest = Array(line)[...]
        let whole = rest
        var end = rest.startIndex
        while true {
            rest = rest.drop { $0.properties.isWhitespace }
            guard let first = rest.first, first != "#" else { break }
            words.append(try Self.word(&rest))
            end = rest.startIndex
        }
        text = Self.string(whole[..<end].drop { $0.properties.isWhitespace })
    }

    private static func word(_ rest: inout ArraySlice<Unicode.Scalar>) throws(ReportRequestError) -> Word {
        var scalars: [Unicode.Scalar] = []
        while let next = rest.first, !next.properties.isWhitespace {
            rest.removeFirst()
            guard next == "\"", scalars.last == "=", !scalars.dropLast().contains("=") else {
                scalars.append(next)
                continue
            }
            scalars += try quoted(&rest, after: scalars)
            guard rest.first?.properties.isWhitespace != false else {
                throw ReportRequestError(
                    "a blank follows a value in quotes, not '\(string(rest.prefix { !$0.properties.isWhitespace }))'; "
                        + "a quote inside a value is written twice")
            }
            return Word(text: string(scalars), isQuoted: true)
        }
        return Word(text: string(scalars))
    }

    /// What stands between the quote that has been read and its partner.
    private static func quoted(
        _ rest: inout ArraySlice<Unicode.Scalar>, after start: [Unicode.Scalar]
    ) throws(ReportRequestError) -> [Unicode.Scalar] {
        var value: [Unicode.Scalar] = []
        while let next = rest.popFirst() {
            guard next == "\"" else {
                value.append(next)
                continue
            }
            guard rest.first == "\"" else { return value }
            value.append(rest.removeFirst())
        }
        throw ReportRequestError("the quote after '\(string(start))' is not closed")
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
