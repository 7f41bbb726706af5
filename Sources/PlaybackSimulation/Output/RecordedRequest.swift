package import Foundation

/// A request as the endpoint would have received it.
package struct RecordedRequest: Sendable {
    /// In ms since 1970.
    package let receivedAt: Int64
    package let body: Data

    /// The line that `qoe load` reads.
    package var line: Data {
        var line = Data("{\"receivedAt\":\(receivedAt),\"body\":".utf8)
        line.append(body)
        line.append(contentsOf: Array("}\n".utf8))
        return line
    }
}
