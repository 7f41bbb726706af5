extension PlaybackMetricsSender {
    /// Begins to send on its own: first at a random point of the first 30 seconds, then every 30, as long as something waits.
    /// Without effect when it has begun.
    public nonisolated func start() {
        timer.withLock { timer in
            guard timer == nil else { return }
            timer = Task(priority: .utility) { [weak self, clock, queue, interval = configuration.flushInterval] in
                guard let delay = await self?.firstDelay() else { return }
                var due = clock.now + delay
                while !Task.isCancelled {
                    await Self.sleep(while: queue, on: clock)
                    // The times stay those of a timer that never slept, so that senders do not come together.
                    let late = clock.now - due
                    if late > .zero { due += interval * (Int(late / interval) + 1) }
                    do { try await clock.sleep(for: due - clock.now) } catch { return }
                    await self?.flush()
                    guard let next = await self?.nextDue() else { return }
                    due = next
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
        queue.synchronize()
    }

    /// Sends what waits while the app goes to the background: call it when it does.
    ///
    /// The host's background time is taken before this returns, and given back when the flush is over or the host wants it
    /// back, whichever comes first. A call while the time is held joins the flush that it is held for.
    ///
    /// - Parameter host: asked for the time in the place of ``SenderSeams/backgroundTime``.
    /// - Returns: the flush, for whoever wants to wait for its end.
    @discardableResult
    public nonisolated func flushInBackground(holding host: (any BackgroundTime)? = nil) -> Task<Void, Never> {
        let time = HeldBackgroundTime()
        let (flush, isNew) = backgroundFlush.withLock { underWay in
            if let underWay, !underWay.time.isGivenBack { return (underWay, false) }
            let flush = BackgroundFlush(time: time, task: Task { await self.flush(holding: time) })
            underWay = flush
            return (flush, true)
        }
        // Outside the lock: nobody knows what a host does when it is asked.
        if isNew { time.take(from: host ?? backgroundTime) }
        return flush.task
    }

    private nonisolated func flush(holding time: HeldBackgroundTime) async {
        queue.synchronize()
        await flush(overridingBackoff: true)
        queue.synchronize()
        time.giveBack()
        backgroundFlush.withLock { latest in
            if latest?.time === time { latest = nil }
        }
    }

    /// Comes back when something waits to be sent, or when the task is cancelled: no timer runs meanwhile but one of a day.
    private static func sleep(while queue: SummaryQueue, on clock: any SenderClock) async {
        while queue.isIdle, !Task.isCancelled {
            // Nobody sleeps before he can be woken.
            let isAwaited = FirstOfTwo<Void>()
            let sleeper = Task {
                try await isAwaited.value
                try await clock.sleep(for: .seconds(86_400))
            }
            queue.whenNotIdle { sleeper.cancel() }
            isAwaited.settle(.success(()))
            await withTaskCancellationHandler {
                _ = await sleeper.result
            } onCancel: {
                sleeper.cancel()
            }
        }
    }
}

/// A flush on the app's way to the background, and the time that is held for it.
struct BackgroundFlush: Sendable {
    var time: HeldBackgroundTime
    var task: Task<Void, Never>
}
