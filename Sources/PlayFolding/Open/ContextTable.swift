import PlaybackEvents

/// The contexts of open plays, each held once however many plays have it.
struct ContextTable {
    private var numbers: [ReportContext: Int32] = [:]
    private var contexts: [(context: ReportContext, uses: Int32)] = []
    private var free: [Int32] = []
    /// What they take, in bytes, roughly.
    private(set) var bytes = 0

    subscript(number: Int32) -> ReportContext { contexts[Int(number)].context }

    /// The interval of regular reports in ms, 0 for none.
    func heartbeat(_ number: Int32) -> Int64 {
        contexts[Int(number)].context.heartbeatMs ?? ReportContext.usualHeartbeatMs
    }

    /// The number of a context, which counts as used once more.
    mutating func use(_ context: ReportContext) -> Int32 {
        if let number = numbers[context] {
            contexts[Int(number)].uses += 1
            return number
        }
        bytes += Self.size(context)
        if let number = free.popLast() {
            contexts[Int(number)] = (context, 1)
            numbers[context] = number
            return number
        }
        contexts.append((context, 1))
        numbers[context] = Int32(contexts.count - 1)
        return Int32(contexts.count - 1)
    }

    mutating func use(_ number: Int32) { contexts[Int(number)].uses += 1 }

    /// Gives a use back; a context without uses is forgotten.
    mutating func release(_ number: Int32) {
        contexts[Int(number)].uses -= 1
        guard contexts[Int(number)].uses == 0 else { return }
        let context = contexts[Int(number)].context
        bytes -= Self.size(context)
        numbers[context] = nil
        contexts[Int(number)].context = ReportContext()
        free.append(number)
    }

    private static func size(_ context: ReportContext) -> Int {
        let texts =
            context.cdn.count + context.cdnRegion.count + context.network.count + context.source.count
            + context.appVersion.count + context.player.count + context.tags.count
        // Both copies share their texts; each text has a head of 32 bytes.
        return 400 + texts
    }
}
