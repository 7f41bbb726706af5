internal import Foundation

/// The terminal that standard output goes to.
package enum Terminal {
    /// Columns of a line: what the terminal says, else `COLUMNS`, else 100.
    package static var width: Int {
        var size = winsize()
        if ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        return columns.flatMap { $0 > 0 ? $0 : nil } ?? 100
    }
}
