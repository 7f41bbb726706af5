/// What a request's context gives for events that lack it; judged where it is applied.
struct ContextDefaults {
    enum Tags {
        case absent
        /// They are no object.
        case wrongType
        /// At most one more than are legal.
        case entries(Range<Int32>)
    }

    /// The fields that it gives, a bit each; the tags are apart.
    private(set) var present: UInt32 = 0
    /// Those of them that are at fault.
    private(set) var faulty: UInt32 = 0
    private(set) var texts = [TextSlice](repeating: .absent, count: EventField.allCases.count)
    private(set) var faults = [Rejection.Code?](repeating: nil, count: EventField.allCases.count)
    var tags = Tags.absent

    mutating func set(_ field: EventField, _ text: TextSlice) {
        present |= field.bit
        texts[Int(field.rawValue)] = text
    }

    mutating func set(_ field: EventField, fault: Rejection.Code) {
        present |= field.bit
        faulty |= field.bit
        faults[Int(field.rawValue)] = fault
    }
}
