internal import Archive
internal import Foundation
internal import Synchronization

/// The book of alerts with its file: what has changed is durable before anybody is told of it.
final class AlertDesk: Sendable {
    private struct State {
        var book: AlertBook
        /// What the file has, or would have on a disk with room.
        var told: [AlertBook.Delivery]
        var isUnwritten = false
    }

    private let state: Mutex<State>
    /// Held while the file is written: a disk that hangs keeps those who write, and nobody who asks.
    private let writing = Mutex(())
    private let file: AlertFile
    private let tells: Bool
    private let log: EventLog

    /// - Parameter tells: whether there is a webhook.
    init(_ file: AlertFile, tells: Bool, log: EventLog) {
        self.file = file
        self.tells = tells
        self.log = log
        var book = AlertBook()
        do throws(AlertFileError) {
            book = try file.read()
        } catch {
            log(.error, "alerts not kept", ["reason": error.description])
        }
        state = Mutex(State(book: book, told: book.deliveries))
    }

    /// What waits for the webhook and is durable, in the order in which it came up.
    var deliveries: [AlertBook.Delivery] { state.withLock { $0.told } }

    /// How many groups of each level fire, by its text; of a level for all plays it is one.
    var firing: [String: Int] {
        state.withLock { state in
            state.book.alerts.values.reduce(into: [:]) { firing, alert in
                if alert.phase == .firing { firing[alert.reading.text, default: 0] += 1 }
            }
        }
    }

    func freshStart(for reading: LevelReading) -> Int64? {
        state.withLock { $0.book.freshStart(for: reading) }
    }

    /// - Parameters:
    ///   - levels: the texts of those in force.
    ///   - unjudged: of those that could not be judged.
    func take(_ readings: [LevelReading], of levels: [String], unjudged: Set<String>, at now: Int64) {
        for change in change({ $0.take(readings, of: levels, unjudged: unjudged, at: now, tells: tells) }) {
            let facts: KeyValuePairs = ["level": change.level, "alert": change.key]
            switch change.state {
            case .firing: log(.warning, "alert firing", facts)
            case .resolved: log(.info, "alert resolved", facts)
            }
        }
    }

    func remove(delivery number: Int64) {
        change { $0.remove(delivery: number) }
    }

    /// Changes the book and writes it. On a disk without room it goes on in memory: a restart may then tell something twice.
    @discardableResult
    private func change<Result: Sendable>(_ body: (inout AlertBook) -> Result) -> Result {
        let (result, isToBeWritten) = state.withLock { state in
            let before = state.book
            let result = body(&state.book)
            return (result, state.book != before || state.isUnwritten)
        }
        guard isToBeWritten else { return result }
        writing.withLock { _ in
            // Somebody may have changed it meanwhile, which is then written, too.
            let book = state.withLock { $0.book }
            var fault: AlertFileError?
            do throws(AlertFileError) {
                try file.write(book)
            } catch {
                fault = error
            }
            let isNew = state.withLock { state in
                defer { state.isUnwritten = fault != nil }
                state.told = book.deliveries
                return !state.isUnwritten
            }
            if let fault, isNew { log(.error, "alerts not kept", ["reason": fault.description]) }
        }
        return result
    }
}

/// `alerts.json`: what is known of alerts, in a file of the data directory that is replaced as a whole.
struct AlertFile {
    private struct Content: Codable {
        var format = 1
        var book: AlertBook
    }

    let path: String

    init(_ paths: DataPaths) {
        path = paths.alerts
    }

    /// - Returns: an empty book where there is no file.
    /// - Throws: ``AlertFileError`` for one that can't be understood, which is then moved to another name.
    func read() throws(AlertFileError) -> AlertBook {
        guard let data = FileManager.default.contents(atPath: path) else { return AlertBook() }
        if let content = try? JSONDecoder().decode(Content.self, from: data), content.format == 1 {
            return content.book
        }
        rename(path, path + ".unreadable")
        throw AlertFileError("\(path) can't be understood; it is \(path).unreadable now, and alerts begin anew")
    }

    /// Replaces the file; returns when it is durable. A crash leaves the old one or the new one.
    ///
    /// - Complexity: two syncs.
    func write(_ book: AlertBook) throws(AlertFileError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Content(book: book)) else {
            throw AlertFileError("\(path) can't be made")
        }
        do {
            try FileCalls.system.replace(path, with: Array(data), by: path + ".new")
        } catch {
            throw AlertFileError("\(error)")
        }
    }
}

/// What is wrong with the file, or kept it from being written.
struct AlertFileError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
