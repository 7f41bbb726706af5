internal import Glibc

/// Receives one HTTP response: as much of the protocol as tells where it ends.
struct ResponseReader {
    private var bytes = [UInt8](repeating: 0, count: 16 << 10)
    private var count = 0
    /// The response's status, once the whole response is there.
    private(set) var status: Int?
    /// The server closes the connection after it.
    private(set) var closes = false

    mutating func begin() {
        count = 0
        status = nil
        closes = false
    }

    /// Receives once.
    ///
    /// - Returns: what `recv` returned.
    mutating func receive(from socket: Int32) -> Int {
        if count == bytes.count { bytes.append(contentsOf: repeatElement(0, count: bytes.count)) }
        let received = bytes.withUnsafeMutableBytes { room in
            let free = UnsafeMutableRawBufferPointer(rebasing: room[count...])
            return recv(socket, free.baseAddress, free.count, 0)
        }
        if received > 0 {
            count += received
            judge()
        }
        return received
    }

    /// The body, once the whole response is there and its length was given.
    var body: ArraySlice<UInt8> {
        guard let end = headEnd else { return [] }
        return bytes[end..<count]
    }

    private var headEnd: Int? {
        let end: [UInt8] = [13, 10, 13, 10]
        guard count >= 16 else { return nil }
        return (4...count).first { bytes[$0 - 4] == end[0] && bytes[($0 - 4)..<$0].elementsEqual(end) }
    }

    private mutating func judge() {
        guard let end = headEnd else { return }
        let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, let status = Int(words[1]) else { return }
        var length: Int?
        var isChunked = false
        for line in lines.dropFirst() {
            if line.hasPrefix("content-length:") {
                length = Int(line.dropFirst("content-length:".count).trimming(" "))
            } else if line.hasPrefix("transfer-encoding:") {
                isChunked = line.hasSuffix("chunked")
            } else if line.hasPrefix("connection:") {
                closes = line.hasSuffix("close")
            }
        }
        let isWhole =
            isChunked ? bytes[end..<count].suffix(5).elementsEqual("0\r\n\r\n".utf8) : count - end >= length ?? 0
        if isWhole { self.status = status }
    }
}

extension Substring {
    fileprivate func trimming(_ character: Character) -> Substring {
        var rest = self
        while rest.first == character { rest.removeFirst() }
        while rest.last == character { rest.removeLast() }
        return rest
    }
}
