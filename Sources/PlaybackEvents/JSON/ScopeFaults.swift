/// What breaks the contract without breaking JSON's syntax, in one event or in everything outside the events.
struct ScopeFaults {
    /// Stands for "no known field".
    static let noField = UInt8.max

    /// A container deeper than ``ContractLimits/depth``.
    var isTooDeep = false
    var hasLoneSurrogate = false
    /// The field that holds the first lone surrogate.
    var surrogateField = noField
    /// Where the first key stands that its object already had; `Int.max` when there is none.
    var duplicatePlace = Int.max
    /// The field that is or holds that key.
    var duplicateField = noField
    /// Keys from here on are not compared: what holds them is refused anyway.
    var keysEnd = Int.max

    var isClean: Bool {
        !isTooDeep && !hasLoneSurrogate && duplicatePlace == .max
    }

    mutating func noteSurrogate(in field: UInt8) {
        guard !hasLoneSurrogate else { return }
        hasLoneSurrogate = true
        surrogateField = field
    }

    mutating func noteDuplicate(at place: Int, in field: UInt8) {
        guard place < duplicatePlace else { return }
        duplicatePlace = place
        duplicateField = field
    }
}
