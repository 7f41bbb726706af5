/// A figure in a picture with its interval.
struct Mark: Sendable {
    var value: Double
    var low: Double?
    var high: Double?

    init(value: Double, low: Double? = nil, high: Double? = nil) {
        (self.value, self.low, self.high) = (value, low, high)
    }

    /// Nil where there is no figure.
    init?(_ figure: Figure<Double>) {
        guard let value = figure.value else { return nil }
        self.init(value: value, low: figure.interval.low, high: figure.interval.high)
    }

    init?(_ figure: Figure<Int64>) {
        guard let value = figure.value else { return nil }
        self.init(
            value: Double(value), low: figure.interval.low.map(Double.init),
            high: figure.interval.high.map(Double.init))
    }
}

/// What is drawn of an interval on an axis.
struct Whisker {
    enum End: Sendable {
        case closed
        /// The interval has no end there: nobody knows it.
        case open
        /// The axis ends before the interval does.
        case clipped
    }

    /// Places on the axis, 0 to 100.
    var low: Double
    var high: Double
    var lowEnd: End
    var highEnd: End

    /// Nil where neither end is known.
    init?(_ mark: Mark, _ scale: Scale) {
        guard mark.low != nil || mark.high != nil else { return nil }
        low = mark.low.map(scale.percent) ?? 0
        high = mark.high.map(scale.percent) ?? 100
        // An axis begins at 0, and nothing is less.
        lowEnd = mark.low == nil ? .open : .closed
        highEnd = mark.high.map { $0 > scale.end ? .clipped : .closed } ?? .open
    }

    /// What a caption has to say of such ends; empty where all are closed.
    static func note(_ marks: [Mark], _ scale: Scale) -> String {
        let whiskers = marks.compactMap { Whisker($0, scale) }
        let isOpen = whiskers.contains { $0.lowEnd == .open || $0.highEnd == .open }
        let isClipped = whiskers.contains { $0.highEnd == .clipped }
        return (isOpen ? " A dashed line without an end: there are too few sessions to know where it ends." : "")
            + (isClipped ? " An arrow: the interval goes on beyond the axis, and the table has its end." : "")
    }
}

extension Scale {
    /// An axis for some marks: as long as the figures need, with room for intervals that go not much further.
    init(for marks: [Mark]) {
        let largest = marks.map(\.value).max() ?? 0
        let ends = marks.compactMap(\.high).map { min($0, 1.5 * largest) }
        // Where all figures are 0, the intervals alone have a length.
        self.init(upTo: largest > 0 ? max(largest, ends.max() ?? 0) : marks.compactMap(\.high).max() ?? 0)
    }

    /// What stands at the ticks, in one unit and with no more decimals than they need.
    ///
    /// - Parameters:
    ///   - ticks: of the axis, or some of these.
    ///   - text: how a value is written.
    static func labels(_ ticks: [Double], _ text: (Double) -> HumanNumber.Text) -> [String] {
        var parts = HumanNumber.aligned(ticks.map(text)).map { text in
            let digits = text.value.prefix { $0.isNumber || $0 == "." || $0 == "," }
            return (digits: String(digits), unit: String(text.value.dropFirst(digits.count)))
        }
        while parts.allSatisfy({ $0.digits.contains(".") && ($0.digits.hasSuffix("0") || $0.digits.hasSuffix(".")) }) {
            for index in parts.indices { parts[index].digits.removeLast() }
        }
        return parts.map { $0.digits + $0.unit }
    }
}
