import Foundation

/// What a sender has made and given up, in 128 bytes on the disk: so the next run of the app can tell what died with this.
///
/// Used under the queue's lock alone.
final class Ledger {
    /// A sender's running totals, as its requests tell them.
    struct Account: Sendable, Hashable {
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

    private static let size = 128
    private static let suffix = "ledger"
    private static let magic: UInt64 = 0x3147_444c_454f_5151
    private enum Place {
        static let magic = 0, id = 8, made = 24, dropped = 32, rejected = 40, sequence = 48
        static let toldMade = 56, toldDropped = 64, toldRejected = 72
    }

    let senderId: UUID
    let file: MappedFile

    /// Begins the ledger of a sender that begins, or that was without one until now.
    init?(of senderId: UUID, in folder: URL) {
        let url = folder.appendingPathComponent("\(senderId.uuidString).\(Self.suffix)")
        guard let file = MappedFile(url, size: Self.size, creates: true, protection: .none) else { return nil }
        self.file = file
        self.senderId = senderId
        memset(file.bytes, 0, file.size)
        file.store(senderId.uuid, at: Place.id)
        file.store(Self.magic, at: Place.magic)
    }

    /// Reads what an earlier sender left; a file that makes no sense is removed.
    ///
    /// - Returns: `nil` when it makes none, or when its sender still lives.
    init?(leftAt url: URL) {
        guard let file = MappedFile(url, size: Self.size, creates: false, protection: .none) else { return nil }
        self.file = file
        senderId = UUID(uuid: file.load(uuid_t.self, at: Place.id))
        guard file.load(UInt64.self, at: Place.magic) == Self.magic, account.isPossible, told.isPossible,
            (0...(1 << 53)).contains(sequence), url.deletingPathExtension().lastPathComponent == senderId.uuidString
        else {
            file.remove()
            return nil
        }
    }

    /// The totals now. Setting them is a few stores into memory.
    var account: Account {
        get { load(Place.made, Place.dropped, Place.rejected) }
        set {
            store(newValue.made, at: Place.made)
            store(newValue.dropped, at: Place.dropped)
            store(newValue.rejected, at: Place.rejected)
        }
    }

    /// One play more was made.
    func note(made: Int) {
        store(made, at: Place.made)
    }

    /// One play more was given up.
    func note(dropped: Int) {
        store(dropped, at: Place.dropped)
    }

    /// The totals that an endpoint has taken last.
    var told: Account {
        get { load(Place.toldMade, Place.toldDropped, Place.toldRejected) }
        set {
            store(newValue.made, at: Place.toldMade)
            store(newValue.dropped, at: Place.toldDropped)
            store(newValue.rejected, at: Place.toldRejected)
        }
    }

    /// The number of the next request.
    var sequence: Int {
        get { Int(file.load(Int64.self, at: Place.sequence)) }
        set { store(newValue, at: Place.sequence) }
    }

    /// The paths of all ledgers in a folder, the latest senders first: their ids begin with the time.
    static func all(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".\(suffix)") }.sorted(by: >).map { folder.appendingPathComponent($0) }
    }

    private func load(_ made: Int, _ dropped: Int, _ rejected: Int) -> Account {
        func number(_ place: Int) -> Int { Int(file.load(Int64.self, at: place)) }
        return Account(made: number(made), dropped: number(dropped), rejected: number(rejected))
    }

    private func store(_ value: Int, at place: Int) {
        file.store(Int64(value), at: place)
    }
}
