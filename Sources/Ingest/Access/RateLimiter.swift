import Synchronization

/// A bucket of events for each key: filled at its rate, holding ten seconds' worth.
///
/// A batch goes through while the bucket holds anything, and may leave it in debt: so a batch larger than the bucket
/// is delayed, never refused for ever.
package final class RateLimiter: Sendable {
    private struct Bucket {
        var events: Double
        var at: ContinuousClock.Instant
    }

    private let eventsPerSecond: Double
    private let buckets = Mutex<[String: Bucket]>([:])

    package init(eventsPerSecond: Int) {
        self.eventsPerSecond = Double(eventsPerSecond)
    }

    /// Takes `events` out of the key's bucket, or says in how many whole seconds (≥ 1) there will be something in it.
    ///
    /// With 0 events it only looks. Keys are those of the operator's file, so the table is bounded.
    package func take(_ events: Int, key: String, at now: ContinuousClock.Instant) -> Int? {
        buckets.withLock { buckets in
            var bucket = filled(buckets[key], at: now)
            defer { buckets[key] = bucket }
            guard bucket.events > 0 else {
                return max(1, Int((-bucket.events / eventsPerSecond).rounded(.up)))
            }
            bucket.events -= Double(events)
            return nil
        }
    }

    /// Takes `events` out of the key's bucket, whatever is in it.
    package func charge(_ events: Int, key: String, at now: ContinuousClock.Instant) {
        buckets.withLock { buckets in
            var bucket = filled(buckets[key], at: now)
            bucket.events -= Double(events)
            buckets[key] = bucket
        }
    }

    private func filled(_ bucket: Bucket?, at now: ContinuousClock.Instant) -> Bucket {
        var bucket = bucket ?? Bucket(events: eventsPerSecond * 10, at: now)
        let elapsed = max(0, (now - bucket.at) / .seconds(1))
        bucket.events = min(eventsPerSecond * 10, bucket.events + elapsed * eventsPerSecond)
        bucket.at = max(bucket.at, now)
        return bucket
    }
}
