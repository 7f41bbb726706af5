package import PlaybackEvents

/// What one request of a player said: its reports in order, and what could not be taken.
package struct CMCDBatch: Sendable, Equatable {
    package var reports: [CMCDReport] = []
    package var faults: [CMCDError] = []
    /// Lines that were looked at; empty ones are none.
    package var lines = 0
    /// Keys that no version of the standard has, and values of another kind or size than their key allows.
    package var ignoredKeys = 0
    /// Reports of a later version than 2; they are left.
    package var laterVersions = 0
    /// Lines beyond ``CMCDLimits/lines``; they are left.
    package var linesTooMany = 0

    package init() {}
}

/// A line that is no report.
package struct CMCDError: Error, Sendable, Equatable {
    /// The quarantine's code for all of them.
    package static let code = "bad_report"

    /// The line's place among those of its request, from 0.
    package var index: Int
    /// The key at fault; empty where the line is no dictionary, or too long.
    package var field: String
    /// The line's first bytes, at most ``CMCDLimits/keptBytes``.
    package var raw: [UInt8]

    package init(index: Int, field: String, raw: [UInt8]) {
        self.index = index
        self.field = field
        self.raw = raw
    }
}

/// The limits of one request.
package enum CMCDLimits {
    package static let lines = 1_000
    /// One line as sent, in bytes.
    package static let line = 16_384
    /// What the quarantine keeps of a line, in bytes.
    package static let keptBytes = 256
}
