internal import ClickHouse
internal import PlayStore
internal import Reports

/// Columns of an outer query that add up products over sessions in whole numbers, and how they are read back.
///
/// No integer of old servers holds a square of milliseconds, so factors are cut at 32 bits, and sums of products again.
struct SumColumns {
    private(set) var expressions: [String] = []

    /// Σ a·b of whole numbers that are not negative and below 2⁵³.
    mutating func addProduct(_ a: String, _ b: String) {
        let (a, b) = ("toUInt64(\(a))", "toUInt64(\(b))")
        let high = { (value: String) in "bitShiftRight(\(value), 32)" }
        let low = { (value: String) in "bitAnd(\(value), 4294967295)" }
        let middle = "(\(high(a)) * \(low(b)) + \(low(a)) * \(high(b)))"
        let least = "(\(low(a)) * \(low(b)))"
        expressions += ["sum(\(high(a)) * \(high(b)))"]
        expressions += [high, low].map { "sum(\($0(middle)))" }
        expressions += [high, low].map { "sum(\($0(least)))" }
    }

    /// Σ a of whole numbers that are not negative.
    mutating func addSum(_ a: String) {
        expressions += ["sum(bitShiftRight(toUInt64(\(a)), 32))", "sum(bitAnd(toUInt64(\(a)), 4294967295))"]
    }

    /// One number as it is.
    mutating func add(_ expression: String) { expressions.append(expression) }

    /// The sums of a ratio over sessions.
    ///
    /// - Parameter condition: whether the session has plays that the ratio is about.
    mutating func addRatio(_ x: String, _ y: String, where condition: String) {
        add("countIf(\(condition))")
        let (x, y) = ("if(\(condition), \(x), 0)", "if(\(condition), \(y), 0)")
        addSum(x)
        addSum(y)
        addProduct(x, x)
        addProduct(x, y)
        addProduct(y, y)
    }
}

/// Reads a row's columns from left to right.
struct RowReader {
    private let row: TSVRow
    private var column = 0

    init(_ row: TSVRow) {
        self.row = row
    }

    mutating func integer() -> Int64 {
        column += 1
        return row.integer(column - 1) ?? 0
    }

    mutating func integerOrNil() -> Int64? {
        column += 1
        return row.isNull(column - 1) ? nil : row.integer(column - 1)
    }

    mutating func double() -> Double {
        column += 1
        return Double(String(decoding: row.text(column - 1), as: UTF8.self)) ?? 0
    }

    mutating func text() -> ByteText {
        column += 1
        return ByteText(row.text(column - 1))
    }

    mutating func textOrNil() -> String? {
        column += 1
        return row.isNull(column - 1) ? nil : String(decoding: row.text(column - 1), as: UTF8.self)
    }

    /// The fields of one play.
    mutating func play() -> PlayRecord {
        var play = PlayRecord()
        for field in PlayField.allCases {
            if field.isText { play.set(field, textOrNil()) } else { play.set(field, integerOrNil()) }
        }
        return play
    }

    mutating func key(_ dimensions: Int) -> GroupKey { GroupKey((0..<dimensions).map { _ in text() }) }

    mutating func sum() -> Int128 {
        let high = Int128(integer()) << 32
        return high + Int128(integer())
    }

    mutating func product() -> Int128 {
        let high = Int128(integer()) << 64
        let middle = sum() << 32
        return high + middle + sum()
    }

    mutating func ratio() -> RatioSums {
        var sums = RatioSums()
        sums.sessions = integer()
        (sums.base, sums.events) = (sum(), sum())
        (sums.baseSquares, sums.products, sums.eventSquares) = (product(), product(), product())
        return sums
    }
}
