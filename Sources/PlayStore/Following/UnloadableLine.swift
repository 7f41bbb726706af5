package import Archive
package import PlaybackEvents

/// A line of the plays' log that no store can take.
package struct UnloadableLine: Sendable, Equatable {
    /// Its code in the quarantine. It is none of the contract's: no client sent a bad event.
    package static let code = "unloadable"

    /// The line, without its LF.
    package var line: [UInt8]
    /// Where the chunk begins that held it, and which line of the chunk it was, from 0.
    package var place: LogPlace
    package var number: Int
    /// What is wrong with it.
    package var reason: String

    /// The line as the quarantine keeps it, under the place where it was found.
    ///
    /// - Parameter now: ms since 1970.
    package func quarantined(now: Int64) -> QuarantineLine {
        QuarantineLine(
            receivedAt: now,
            requestId: Identifier128(
                high: UInt64(bitPattern: place.segment), low: UInt64(bitPattern: place.offset)),
            index: Int64(number), code: Self.code, field: "", raw: line)
    }
}
