internal import Platform
internal import SQLite
internal import Synchronization

/// What the follower's thread does.
extension Follower {
    func run() {
        loop.withLock { run($0) }
        let left = state.change { state in
            defer { state.work = [] }
            state.hasEnded = true
            return state.work
        }
        for work in left { work.run(nil) }
    }

    private func run(_ loop: FollowLoop) {
        var backoff = FollowerBackoff(configuration)
        // Ms without anything to load; nil once the store has rested.
        var idleMs: Int? = 0
        var nextLook = SystemClock.monotonic
        while !state.read({ $0.isStopping }), !loop.isOver {
            let (wakes, ends) = state.read { ($0.wakes, $0.endsAsked) }
            doWork(loop)
            do {
                if SystemClock.monotonic >= nextLook {
                    nextLook = SystemClock.monotonic + UInt64(configuration.lookMs) * 1_000_000
                    noteDamage(try loop.damage())
                    try noteFreeBytes(loop)
                }
                let result = try loop.load()
                noteLoad(result, of: loop, wakes: wakes, ends: ends, &backoff)
                let isPruning = try prune(loop)
                switch result {
                case .full:
                    idleMs = 0
                case .rest:
                    idleMs = 0
                    pause()
                case .nothing:
                    let isTidy = try !loop.tidy() && !isPruning
                    let pause = isTidy ? configuration.pollMs : Self.untidyMs
                    let nothingCame = !waitForLines(after: wakes, pause)
                    if let idle = idleMs, nothingCame, isTidy { idleMs = rest(loop, after: idle + pause) }
                }
            } catch {
                // A commit that ran out of time.
                if loop.isOver { break }
                let pause = noteFailure(error, &backoff)
                wait(pause) { _ in false }
            }
        }
        // What came last is loaded, too, unless there is too much of it.
        do {
            if !loop.isOver { _ = try loop.load() }
            try loop.leave()
        } catch {
            // A commit that ran out of time comes again after the next start.
            if !loop.isOver { _ = noteFailure(error, &backoff) }
        }
    }

    /// Lets rows gather, unless somebody waits for the end.
    private func pause() {
        wait(configuration.pauseMs) { $0.endsAsked > $0.endsReached }
    }

    /// - Returns: whether somebody said that there is something.
    private func waitForLines(after wakes: UInt64, _ milliseconds: Int) -> Bool {
        wait(milliseconds) { $0.wakes != wakes || $0.endsAsked > $0.endsReached }
    }

    /// Waits for a while, a short one when the process is about to end, or until there is a reason to go on.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    private func wait(_ milliseconds: Int, until isSo: (State) -> Bool) -> Bool {
        let isHurried = state.read { $0.isHurried }
        return state.wait(milliseconds: isHurried ? min(milliseconds, Self.hurriedMs) : milliseconds) { state in
            state.isStopping || state.isHurried != isHurried || !state.work.isEmpty || isSo(state)
        }
    }

    private static let hurriedMs = 50
    /// As long as the store has something to do that may wait.
    private static let untidyMs = 50

    /// Lets the store rest once, after it has been idle for long enough.
    ///
    /// - Returns: how long it has been idle, nil once it has rested.
    private func rest(_ loop: FollowLoop, after idleMs: Int) -> Int? {
        guard idleMs >= configuration.restAfterMs else { return idleMs }
        rest(loop)
        return nil
    }

    /// Lets the store put its files in order. A reader that is under way keeps the write-ahead log as it is, which is no
    /// failure: the next rest comes after the next load.
    func rest(_ loop: FollowLoop) {
        do {
            try loop.rest()
            state.change { $0.hasRestFailed = false }
        } catch {
            let isNew = state.change { state in
                defer { state.hasRestFailed = true }
                return !state.hasRestFailed
            }
            if isNew { configuration.onNotice(.restFailed("\(error)")) }
        }
    }

    /// Removes an hour of old days, when told so, after each load.
    ///
    /// - Returns: whether there is more to remove.
    private func prune(_ loop: FollowLoop) throws -> Bool {
        guard let day = state.read({ $0.pruneBefore }) else { return false }
        if let removed = try loop.prune(before: day) {
            let totals = loop.committed.totals
            state.change { state in
                state.pruned += removed
                state.status.totals = totals
            }
            return true
        }
        try noteFreeBytes(loop)
        let (pruned, freeBytes) = state.change { state in
            if state.pruneBefore == day { state.pruneBefore = nil }
            return (state.pruned, state.status.freeBytes)
        }
        configuration.onNotice(.pruned(plays: pruned, before: day, freeBytes: freeBytes))
        return false
    }

    private func noteFreeBytes(_ loop: FollowLoop) throws {
        let bytes = try loop.freeBytes() ?? 0
        state.change { $0.status.freeBytes = bytes }
    }

    /// Notes what a look at the store's files has found.
    private func noteDamage(_ damage: String?) {
        let before = state.change { state in
            defer { state.status.damage = damage }
            return state.status.damage
        }
        guard damage != before else { return }
        configuration.onNotice(damage.map(FollowerNotice.storeDamaged) ?? .storeSound)
    }

    /// Notes a load that succeeded.
    ///
    /// - Parameters:
    ///   - wakes: the number of wakes before it looked for lines.
    ///   - ends: how many had asked for the end before it looked.
    func noteLoad(
        _ result: FollowLoop.Load, of loop: FollowLoop, wakes: UInt64, ends: UInt64, _ backoff: inout FollowerBackoff
    ) {
        let failures = backoff.failures
        backoff.succeed()
        let (positions, totals) = loop.committed
        let now = SystemClock.monotonic
        state.change { state in
            state.status.positions = positions
            state.status.totals = totals
            state.status.fault = nil
            state.status.isFaultLasting = false
            state.status.failures = 0
            state.status.isAtEnd = result != .full
            if result != .full {
                state.behindSince = state.wakes == wakes ? nil : now
                state.endsReached = max(state.endsReached, ends)
            }
        }
        if failures > 0 { configuration.onNotice(.recovered(failures: failures)) }
    }

    /// - Returns: ms to wait before the next try.
    func noteFailure(_ error: any Error, _ backoff: inout FollowerBackoff) -> Int {
        let pause = backoff.fail()
        let failures = backoff.failures
        // A writer that can't read its own pages finds it sooner than any look.
        if let error = error as? SQLiteError, error.isDamage { noteDamage(error.message) }
        state.change { state in
            state.status.fault = "\(error)"
            state.status.isFaultLasting = (error as? any TransientError)?.isTransient == false
            state.status.failures = failures
        }
        // Said once, until it has recovered.
        if failures == 1 { configuration.onNotice(.failed("\(error)")) }
        return pause
    }
}

/// How long to wait after a failure: doubling from the first wait to the longest.
struct FollowerBackoff {
    private let first: Int
    private let longest: Int
    private(set) var failures = 0

    init(_ configuration: FollowerConfiguration) {
        first = max(1, configuration.firstRetryMs)
        longest = max(first, configuration.longestRetryMs)
    }

    /// Notes a failure.
    ///
    /// - Returns: ms to wait.
    mutating func fail() -> Int {
        let pause = failures < 16 ? min(longest, first << failures) : longest
        failures += 1
        return pause
    }

    mutating func succeed() {
        failures = 0
    }
}
