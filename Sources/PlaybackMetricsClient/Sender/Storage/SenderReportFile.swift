import Foundation

/// A sender's running totals, as its requests tell them.
struct SenderReport: Sendable, Hashable {
    var made = 0
    /// Given up by the sender itself, for whatever reason.
    var dropped = 0
    /// Rejected one by one by an endpoint.
    var rejected = 0

    /// Whether these can be totals of a sender.
    fileprivate var isPossible: Bool {
        let range = 0...(1 << 53)
        return [made, dropped, rejected].allSatisfy(range.contains) && dropped + rejected <= made
    }
}

/// What a sender has made and given up, in 128 bytes on the disk: so the next run of the app can tell what died with this.
///
/// Used under the queue's lock alone.
final class SenderReportFile {
    private static let size = 128
    private static let suffix = "ledger"
    private static let magic: UInt64 = 0x3147_444c_454f_5151
    private enum Offset {
        static let magic = 0, id = 8, made = 24, dropped = 32, rejected = 40, sequence = 48
        static let toldMade = 56, toldDropped = 64, toldRejected = 72
    }

    let senderId: UUID
    let file: MappedFile

    /// Begins the sender report of a sender that begins, or that was without one until now.
    init?(of senderId: UUID, in folder: URL) {
        let url = folder.appendingPathComponent("\(senderId.uuidString).\(Self.suffix)")
        guard let file = MappedFile(url, size: Self.size, creates: true, protection: .none) else { return nil }
        self.file = file
        self.senderId = senderId
        memset(file.bytes, 0, file.size)
        file.store(senderId.uuid, at: Offset.id)
        file.store(Self.magic, at: Offset.magic)
    }

    /// Reads what an earlier sender left; a file that makes no sense is removed.
    ///
    /// - Returns: `nil` when it makes none, or when its sender still lives.
    init?(leftAt url: URL) {
        guard let file = MappedFile(url, size: Self.size, creates: false, protection: .none) else { return nil }
        self.file = file
        senderId = UUID(uuid: file.load(uuid_t.self, at: Offset.id))
        guard file.load(UInt64.self, at: Offset.magic) == Self.magic, report.isPossible, told.isPossible,
            (0...(1 << 53)).contains(sequence), url.deletingPathExtension().lastPathComponent == senderId.uuidString
        else {
            file.remove()
            return nil
        }
    }

    /// The totals now. Setting them is a few stores into memory.
    var report: SenderReport {
        get { load(Offset.made, Offset.dropped, Offset.rejected) }
        set {
            store(newValue.made, at: Offset.made)
            store(newValue.dropped, at: Offset.dropped)
            store(newValue.rejected, at: Offset.rejected)
        }
    }

    /// One play more was made.
    func note(made: Int) {
        store(made, at: Offset.made)
    }

    /// One play more was given up.
    func note(dropped: Int) {
        store(dropped, at: Offset.dropped)
    }

    /// The totals that an endpoint has taken last.
    var told: SenderReport {
        get { load(Offset.toldMade, Offset.toldDropped, Offset.toldRejected) }
        set {
            store(newValue.made, at: Offset.toldMade)
            store(newValue.dropped, at: Offset.toldDropped)
            store(newValue.rejected, at: Offset.toldRejected)
        }
    }

    /// The number of the next request.
    var sequence: Int {
        get { Int(file.load(Int64.self, at: Offset.sequence)) }
        set { store(newValue, at: Offset.sequence) }
    }

    /// The paths of all sender reports in a folder, the latest senders first: their ids begin with the time.
    static func all(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".\(suffix)") }.sorted(by: >).map { folder.appendingPathComponent($0) }
    }

    private func load(_ made: Int, _ dropped: Int, _ rejected: Int) -> SenderReport {
        func number(_ position: Int) -> Int { Int(file.load(Int64.self, at: position)) }
        return SenderReport(made: number(made), dropped: number(dropped), rejected: number(rejected))
    }

    private func store(_ value: Int, at position: Int) {
        file.store(Int64(value), at: position)
    }
}
