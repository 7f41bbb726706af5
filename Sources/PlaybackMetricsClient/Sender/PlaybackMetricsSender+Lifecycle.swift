extension PlaybackMetricsSender {
    /// Begins to send on its own: first at a random point of the first 30 seconds, then every 30. Without effect when it
    /// has begun.
    public nonisolated func start() {
        timer.withLock { timer in
            guard timer == nil else { return }
            timer = Task { [weak self, clock] in
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
    /// back, whichever comes first. A call while the flush is under way joins it.
    ///
    /// - Returns: the flush, for whoever wants to wait for its end.
    @discardableResult
    public nonisolated func flushInBackground() -> Task<Void, Never> {
        backgroundFlush.withLock { underWay in
            if let underWay { return underWay }
            let time = HeldBackgroundTime(of: backgroundTime)
            let flush = Task {
                await self.flush(overridingBackoff: true)
                self.backgroundFlush.withLock { $0 = nil }
                time.giveBack()
            }
            underWay = flush
            return flush
        }
    }
}
