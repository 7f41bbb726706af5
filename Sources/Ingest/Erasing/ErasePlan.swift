internal import Archive
internal import PlayStore
internal import PlaybackEvents

/// How far an erasure has come: written once all files are made that are to take the place of others, and before the store is
/// touched. A start that finds it does the rest.
struct ErasePlan: Equatable {
    struct File: Equatable {
        var name: SegmentName
        /// Lines that are others now.
        var changed: Int
    }

    /// Up to where the store had read the archive before it knew of the erasure.
    var end = LogPosition.beginning
    /// The store's totals before the erasure.
    var marks: StoreErasure.Marks?
    var files: [File] = []
    /// What whoever asked should read, a line each.
    var notes: [String] = []
    /// What was done, once all is.
    var done = Done()

    struct Done: Equatable {
        var rows: Int64 = 0
        var plays = 0
        /// Damaged files that were removed.
        var damaged: [String] = []
    }

    private static let format = "qoe-erase-plan 1"

    init() {}

    var text: String {
        var lines = [Self.format, Self.text(of: end)]
        if let marks { lines.append("marks \(marks.arrivals) \(marks.loaded) \(marks.duplicates)") }
        lines += files.map { "file \($0.changed) \($0.name.label)" }
        lines += notes.map { "note \($0)" }
        lines.append("done \(done.rows) \(done.plays)")
        lines += done.damaged.map { "damaged \($0)" }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Nil for a text that is no plan.
    init?(_ text: String) {
        let lines = text.split(separator: "\n")
        guard lines.first == Self.format[...] else { return nil }
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 3)
            let numbers = words.dropFirst().map { Int64($0) }
            switch words.first {
            case "end":
                guard let position = Self.position(line) else { return nil }
                end = position
            case "marks":
                guard numbers.count == 3, let arrivals = numbers[0], let loaded = numbers[1], let repeats = numbers[2]
                else { return nil }
                marks = StoreErasure.Marks(arrivals: arrivals, loaded: loaded, duplicates: repeats)
            case "file":
                guard words.count == 3, let changed = Int(words[1]), let name = SegmentName(label: words[2]) else {
                    return nil
                }
                files.append(File(name: name, changed: changed))
            case "done":
                guard numbers.count == 2, let rows = numbers[0], let plays = numbers[1] else { return nil }
                (done.rows, done.plays) = (rows, Int(clamping: plays))
            case "damaged": done.damaged.append(String(line.dropFirst(8)))
            case "note": notes.append(String(line.dropFirst(5)))
            default: return nil
            }
        }
    }

    // MARK: Places

    /// A place as a line of its own.
    static func text(of position: LogPosition) -> String { "end \(position.segment) \(position.offset)" }

    static func position(_ text: some StringProtocol) -> LogPosition? {
        let words = text.split(separator: " ")
        guard words.count == 3, words[0] == "end", let segment = Int64(words[1]), let offset = Int64(words[2]) else {
            return nil
        }
        return LogPosition(segment: segment, offset: offset)
    }

    // MARK: What was done

    /// What whoever asked gets to read.
    var report: String {
        var text =
            "erased \(Self.counted(done.plays, "play")): \(Self.counted(Int(clamping: done.rows), "row")) of the store"
        for (kind, name) in [(LogKind.plays, "archive"), (.rejected, "quarantine"), (.reports, "players' reports")] {
            let files = files.filter { $0.name.kind == kind }
            let lines = files.reduce(0) { $0 + $1.changed }
            text += ", \(Self.counted(lines, "line")) in \(Self.counted(files.count, "file")) of the \(name)"
        }
        text += "\n"
        for file in files { text += "\(file.name.label)\n" }
        for file in done.damaged { text += "\(file) removed\n" }
        for note in notes { text += "\(note)\n" }
        return text
    }

    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
