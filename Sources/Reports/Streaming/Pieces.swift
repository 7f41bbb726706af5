/// A list of plain values in pieces of one size: nothing is copied while it grows, and to read or change a value takes
/// neither counting of references nor a look at who else has the list.
final class Pieces<Element: BitwiseCopyable> {
    // Half a MiB of what is smallest: memory of that size goes back to the system at once when it is given up.
    private static var bits: Int { 16 }
    private static var size: Int { 1 << bits }
    /// Together they hold what an `Int32` can count.
    private static var mostPieces: Int { 1 << (31 - bits) }

    private let pieces: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
    private(set) var count = 0

    init() {
        pieces = .allocate(capacity: Self.mostPieces)
    }

    deinit {
        removeAll()
        pieces.deallocate()
    }

    func append(_ element: Element) {
        if count & (Self.size - 1) == 0 {
            precondition(count >> Self.bits < Self.mostPieces, "more elements than an Int32 can count")
            pieces[count >> Self.bits] = .allocate(capacity: Self.size)
        }
        address(count).initialize(to: element)
        count += 1
    }

    /// Where an element lies for as long as it is in the list.
    func address(_ index: Int) -> UnsafeMutablePointer<Element> {
        pieces[index >> Self.bits] + (index & (Self.size - 1))
    }

    subscript(_ index: Int) -> Element { address(index).pointee }

    func forEach(_ visit: (Element) -> Void) {
        for index in 0..<count { visit(address(index).pointee) }
    }

    func removeAll() {
        for piece in 0..<(count + Self.size - 1) >> Self.bits { pieces[piece].deallocate() }
        count = 0
    }
}
