import Testing

@testable import HTTPServing

@Suite("The receive buffer")
struct ReceiveBufferTests {
    @Test("keeps what is unread in order while it grows to its limit and shrinks back")
    func growsAndShrinks() {
        var buffer = ReceiveBuffer()
        var next: UInt8 = 0
        func count(_ free: UnsafeMutableRawBufferPointer, atMost: Int = .max) -> Int {
            let count = min(free.count, atMost)
            for index in 0..<count {
                free[index] = next
                next &+= 1
            }
            return count
        }
        let reads = (0..<3).map { _ in buffer.fill(limit: 32_768) { count($0) } }
        #expect(reads == [16_384, 16_384, 0])
        buffer.use(32_767)
        let more = buffer.fill(limit: 32_768) { count($0, atMost: 5) }
        #expect(more == 5)
        let unread = Array(buffer.bytes)
        #expect(unread == [255, 0, 1, 2, 3, 4])
        buffer.use(.max)
        let room = buffer.fill(limit: 32_768) { $0.count }
        #expect(room == 16_384)
    }

    @Test("holds no byte of a read that failed")
    func failures() {
        var buffer = ReceiveBuffer()
        let result = buffer.fill(limit: 10) { _ in -11 }
        let isEmpty = buffer.isEmpty
        #expect(result == -11)
        #expect(isEmpty)
    }
}
