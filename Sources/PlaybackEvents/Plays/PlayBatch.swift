/// One request after judgement: its accepted plays in order, its rejected events, its sender's account.
package struct PlayBatch: Sendable {
    package var receipt: Receipt
    /// Holds every text of the plays and of the account.
    package var text: [UInt8] = []
    package var plays: [Play] = []
    /// The index in `events` of each accepted play.
    package var indices: [Int32] = []
    package var rejections: [Rejection] = []
    package var account: SenderAccount?
    /// Where the request's `context` stands in its body, from `{` to `}`; nil without one.
    package var context: Range<Int>?
    /// Fields of events that the contract does not know; they are dropped.
    package var unknownFields = 0

    /// Whether there were events and none was accepted: the request is answered 400.
    package var isAllRejected: Bool { plays.isEmpty && !rejections.isEmpty }

    package init(receipt: Receipt) {
        self.receipt = receipt
    }

    package subscript(slice: TextSlice) -> ArraySlice<UInt8> { text[slice.range] }

    /// The text of a slice, nil when it is absent.
    package func string(_ slice: TextSlice) -> String? {
        slice.isAbsent ? nil : String(decoding: text[slice.range], as: UTF8.self)
    }
}
