/// What is known of one element of `events` beside its play, before the request's context is known.
struct PendingEvent {
    /// The fields that have a value, a bit each.
    var present: UInt32 = 0
    /// The first fault of its own, in the order of judgement.
    var fault: EventFault?
    /// The fault is one of the event as a whole: its fields are not looked at.
    var isRefused = false
    /// Its own tags, at most one more than are legal.
    var tags: Range<Int32> = 0..<0
    /// From its first byte to behind its last.
    var bytes: Range<Int32> = 0..<0

    /// Keeps the fault of the field that comes first in the contract's table.
    mutating func note(_ fault: EventFault) {
        if let known = self.fault, known.field.number <= fault.field.number { return }
        self.fault = fault
    }

    mutating func refuse(_ fault: EventFault) {
        self.fault = fault
        isRefused = true
    }
}
