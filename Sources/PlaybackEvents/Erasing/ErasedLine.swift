/// What stays of erased plays in a log: that they were there, so that numbers, places and counts stay as they were.
package struct ErasedLine: Sendable, Equatable {
    /// How many plays stood there.
    package var plays: Int64 = 1
    /// They were repeats of plays that stood before them.
    package var isRepeat = false
    /// When their request was received, ms since 1970.
    package var receivedAt: Int64
    package var requestId: Identifier128
    /// The place of the first in its request; nil where it follows from the lines before.
    package var index: Int64?
    /// In the quarantine, why the event was rejected; it counts as rejected.
    package var code: String?

    package init(receivedAt: Int64, requestId: Identifier128, index: Int64?) {
        self.receivedAt = receivedAt
        self.requestId = requestId
        self.index = index
    }

    /// How many plays a line may stand for.
    static let counts: ClosedRange<Int64> = 1...1_000_000

    /// Appends the line as short as it can be, ended by LF: behind another line of its request, and in its place by number.
    package func appendBare(to lines: inout [UInt8]) {
        lines.append(atMost: 64) { line in
            line.put("{\"erased\":")
            line.put(plays)
            if isRepeat { line.put(",\"repeat\":true") }
            line.put("}\n")
        }
    }

    /// Appends the line, ended by LF.
    package func append(to lines: inout [UInt8]) {
        let code = Array((code ?? "").utf8)
        lines.append(atMost: 256 + LineWriter.longest(text: code.count)) { line in
            line.put("{\"erased\":")
            line.put(plays)
            if isRepeat { line.put(",\"repeat\":true") }
            line.put(",\"receivedAt\":")
            line.put(receivedAt)
            line.put(",\"requestId\":\"")
            line.put(hexadecimal: requestId)
            line.put("\"")
            if let index {
                line.put(",\"index\":")
                line.put(index)
            }
            if !code.isEmpty {
                line.put(",\"code\":")
                line.put(text: code.span.bytes)
            }
            line.put("}\n")
        }
    }
}
