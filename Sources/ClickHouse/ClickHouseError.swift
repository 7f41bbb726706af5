internal import struct Foundation.Data

/// Why a request to ClickHouse came to nothing.
package struct ClickHouseError: Error, Sendable, Equatable, CustomStringConvertible {
    /// ClickHouse's own number of the error (`system.errors`), nil when no server of it said one.
    package var code: Int?
    /// One line that says what is wrong and, where that is known, what would be right.
    package var description: String
    /// It may pass by itself: the same request is worth another try.
    package var isTransient: Bool

    package init(code: Int? = nil, _ description: String, isTransient: Bool) {
        self.code = code
        self.description = description
        self.isTransient = isTransient
    }

    /// A host that gave no answer.
    static func silent(_ host: ClickHouseURL.Host, _ reason: String) -> ClickHouseError {
        ClickHouseError("ClickHouse at \(host) can't be reached: \(reason)", isTransient: true)
    }

    /// What is to be said when every host failed: the server that spoke, else all that were silent.
    static func together(_ faults: [ClickHouseError]) -> ClickHouseError {
        if let said = faults.first(where: { $0.code != nil }) { return said }
        return ClickHouseError(faults.map(\.description).joined(separator: "; "), isTransient: true)
    }

    /// What a server answered instead of rows.
    ///
    /// - Parameters:
    ///   - status: the answer's status code.
    ///   - header: `X-ClickHouse-Exception-Code`, which newer servers send.
    ///   - body: `Code: 81, e.displayText() = DB::Exception: …` in some form.
    init(_ host: ClickHouseURL.Host, status: Int, header: String?, body: Data, url: ClickHouseURL) {
        let text = String(decoding: body.prefix(1 << 16), as: UTF8.self)
        // 516: AUTHENTICATION_FAILED.
        let code = header.flatMap { Int($0) } ?? Self.code(in: text) ?? (status == 401 ? 516 : nil)
        let said = Self.message(in: text)
        self.init(
            code: code,
            Self.explanation(code, said, url) ?? "ClickHouse at \(host) says: \(Self.label(code, status))\(said)",
            isTransient: code.map(Self.transientCodes.contains) ?? (status >= 500 || status == 429))
    }

    private static func label(_ code: Int?, _ status: Int) -> String {
        code.map { "error \($0), " } ?? "HTTP \(status), "
    }

    /// The number behind `Code: `.
    static func code(in text: String) -> Int? {
        guard let start = text.firstRange(of: "Code: ")?.upperBound else { return nil }
        return Int(text[start...].prefix { $0.isASCII && $0.isNumber })
    }

    /// The message alone, on one line of bounded length, without the version and the repetitions around it.
    static func message(in text: String) -> String {
        var rest = text[...]
        for start in ["e.displayText() = ", "DB::Exception: ", "DB::NetException: "] {
            if let range = rest.firstRange(of: start) { rest = rest[range.upperBound...] }
        }
        for end in [", e.what() =", " (version ", "Stack trace:"] {
            if let range = rest.firstRange(of: end) { rest = rest[..<range.lowerBound] }
        }
        let words = rest.split { $0.isNewline || $0 == "\t" }.joined(separator: " ").split(separator: " ")
        return String(words.joined(separator: " ").prefix(500))
    }
}
