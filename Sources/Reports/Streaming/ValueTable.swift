/// The values of one dimension: dictionary entries that hold the same text have the same number.
struct ValueTable {
    let dimension: PlayDimension
    private(set) var values: [ByteText] = []
    private var numbers: [ByteText: Int32] = [:]
    /// By entry; -1 is not looked up yet.
    private var byEntry: [Int32] = []

    init(_ dimension: PlayDimension) {
        self.dimension = dimension
    }

    /// The number of an entry's value, that of the dimension's own word for no value among them.
    mutating func number(of entry: Int64, in scanner: any PlayScanner) throws -> Int32 {
        let index = Int(entry)
        if index < byEntry.count, byEntry[index] >= 0 { return byEntry[index] }
        let value = entry == 0 ? nil : try scanner.value(of: dimension, in: entry)
        let number = number(of: value ?? ByteText(dimension.absent))
        while byEntry.count <= index { byEntry.append(-1) }
        byEntry[index] = number
        return number
    }

    /// The number of a value by itself.
    mutating func number(of value: ByteText) -> Int32 {
        if let known = numbers[value] { return known }
        let number = Int32(values.count)
        values.append(value)
        numbers[value] = number
        return number
    }
}
