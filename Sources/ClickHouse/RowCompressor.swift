internal import Gzip

/// Makes of rows what is posted: the same bytes of the same rows, always. Keeps its memory from one time to the next.
package final class RowCompressor {
    private let compressor = LineCompressor()

    package init() {}

    package func compressed(_ rows: [UInt8]) -> [UInt8] {
        compressor.member(rows)
    }
}
