extension Array where Element == UInt8 {
    /// Appends what a writer puts into room made for it.
    ///
    /// - Parameter most: the most bytes that come.
    @inline(__always)
    mutating func append(atMost most: Int, _ write: (inout LineWriter) -> Void) {
        append(addingCapacity: most) { output in
            output.withUnsafeMutableBufferPointer { buffer, count in
                var line = LineWriter(buffer)
                write(&line)
                count = line.count
            }
        }
    }
}
