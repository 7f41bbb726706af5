/// A list in pieces of one size, so that nothing is copied while it grows.
struct Pieces<Element> {
    // Half a MiB of what is smallest: memory of that size goes back to the system at once when it is given up.
    private static var bits: Int { 16 }
    private static var size: Int { 1 << bits }

    private var pieces: [[Element]] = []
    private(set) var count = 0

    mutating func append(_ element: Element) {
        if count & (Self.size - 1) == 0 {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(Self.size)
        }
        count += 1
        pieces[pieces.count - 1].append(element)
    }

    subscript(_ index: Int) -> Element {
        pieces[index >> Self.bits][index & (Self.size - 1)]
    }

    mutating func update(_ index: Int, _ body: (inout Element) -> Void) {
        body(&pieces[index >> Self.bits][index & (Self.size - 1)])
    }

    func forEach(_ visit: (Element) -> Void) {
        for piece in pieces {
            for element in piece { visit(element) }
        }
    }

    mutating func removeAll() {
        pieces = []
        count = 0
    }
}
