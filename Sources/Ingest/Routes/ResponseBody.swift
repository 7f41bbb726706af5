internal import Platform
package import PlaybackEvents

/// The JSON bodies of the contract's answers.
package enum ResponseBody {
    /// `{"accepted": 3, "rejected": […]}`.
    ///
    /// - Parameter version: told to an empty batch alone, which is how a client looks whether all is well.
    package static func accepted(_ batch: PlayBatch, version: String) -> String {
        var body = JSONText()
        body.add("accepted", batch.plays.count)
        body.addRaw("rejected", list(batch.rejections))
        if batch.plays.isEmpty && batch.rejections.isEmpty { body.add("version", version) }
        return body.closed
    }

    /// 400 for a batch of which nothing was taken.
    package static func allRejected(_ batch: PlayBatch) -> String {
        var body = JSONText()
        body.add("error", RequestError.Code.allRejected.rawValue)
        body.add("message", "none of the \(batch.rejections.count) events was accepted: see rejected")
        body.addRaw("rejected", list(batch.rejections))
        return body.closed
    }

    /// A fault of the request as a whole.
    package static func fault(_ fault: RequestError) -> String {
        var body = JSONText()
        body.add("error", fault.code.rawValue)
        body.add("message", fault.message)
        if let offset = fault.offset { body.add("offset", offset) }
        if let limit = fault.limit { body.add("limit", limit) }
        return body.closed
    }

    /// Any other refusal: a word that programs can compare, a sentence for people.
    package static func refusal(_ word: String, _ message: String?) -> String {
        var body = JSONText()
        body.add("error", word)
        if let message { body.add("message", message) }
        return body.closed
    }

    private static func list(_ rejections: [Rejection]) -> String {
        var result = "["
        for rejection in rejections {
            var entry = JSONText()
            entry.add("index", rejection.index)
            entry.add("code", rejection.code.rawValue)
            entry.add("field", rejection.field)
            entry.add("message", rejection.message)
            result += (result.utf8.count > 1 ? "," : "") + entry.closed
        }
        return result + "]"
    }
}

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
