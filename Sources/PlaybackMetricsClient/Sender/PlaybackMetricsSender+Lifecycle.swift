extension PlaybackMetricsSender {
    /// Begins to send on its own: first at a random point of the first 30 seconds, then every 30. Without effect when it
    /// has begun.
    public nonisolated func start() {
        timer.withLock { timer in
            guard timer == nil else { return }
            timer = Task(priority: .utility) { [weak self, clock] in
                var delay = await self?.firstDelay()
                while let wait = delay, !Task.isCancelled {
                    do { try await clock.sleep(for: wait) } catch { return }
                    await self?.flush()
                    delay = await self?.nextDelay()
                }
            }
        }
    }

    /// Sends what waits, and no longer sends on its own. Summaries are still taken, for a later ``start()`` or ``flush()``.
    public nonisolated func stop() async {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
        await flush()
    }

    /// Sends what waits while the app goes to the background: call it when it does.
    ///
    /// The host's background time is taken before this returns, and given back when the flush is over or the host wants it
    /// back, whichever comes first. A call while the time is held joins the flush that it is held for.
    ///
    /// - Returns: the flush, for whoever wants to wait for its end.
    @discardableResult
    public nonisolated func flushInBackground() -> Task<Void, Never> {
        let time = HeldBackgroundTime()
        let (flush, isNew) = backgroundFlush.withLock { underWay in
            if let underWay, !underWay.time.isGivenBack { return (underWay, false) }
            let flush = BackgroundFlush(time: time, task: Task { await self.flush(holding: time) })
            underWay = flush
            return (flush, true)
        }
        // Outside the lock: nobody knows what a host does when it is asked.
        if isNew { time.take(from: backgroundTime) }
        return flush.task
    }

    private nonisolated func flush(holding time: HeldBackgroundTime) async {
        await flush(overridingBackoff: true)
        time.giveBack()
        backgroundFlush.withLock { latest in
            if latest?.time === time { latest = nil }
        }
    }
}

/// A flush on the app's way to the background, and the time that is held for it.
struct BackgroundFlush: Sendable {
    var time: HeldBackgroundTime
    var task: Task<Void, Never>
}
