import Foundation

/// When the sender may try again after failures: full jitter over a span that doubles with each failure in a row, so that
/// senders that failed together do not come back together; a server's `Retry-After` is a floor under it.
struct Backoff: Sendable {
    private let base: Duration
    private let limit: Duration
    private let floorLimit: Duration

    /// Failures in a row.
    private(set) var failures = 0
    /// By the sender's clock; `nil`: at once.
    private(set) var notBefore: Duration?
    /// What the server asked for, without our own jitter.
    private var floor: Duration?
    private var hasOverridden = false

    /// No failure yet.
    init(_ configuration: SenderConfiguration) {
        base = configuration.backoffBase
        limit = configuration.backoffLimit
        floorLimit = configuration.retryAfterLimit
    }

    /// The longest own delay after the failures so far.
    var span: Duration {
        // 2²⁰ of any sensible base is past every limit.
        min(base * (1 << min(failures, 20)), limit)
    }

    /// A request failed.
    mutating func fail(at now: Duration, retryAfter: Duration?, random: inout any RandomNumberGenerator & Sendable) {
        let jitter = span * Double.unit(&random)
        let wait = retryAfter.map { min(max($0, .zero), floorLimit) }
        floor = wait.map { now + $0 }
        notBefore = now + (wait ?? .zero) + jitter
        failures += 1
    }

    /// The server answered: nothing has to be waited for.
    mutating func succeed() {
        failures = 0
        notBefore = nil
        floor = nil
        hasOverridden = false
    }

    /// Whether a request may be made now.
    ///
    /// - Parameter overriding: passes over our own delay, once until a request succeeds; never over the server's.
    mutating func allows(at now: Duration, overriding: Bool) -> Bool {
        guard let notBefore, now < notBefore else { return true }
        guard overriding, !hasOverridden, now >= floor ?? now else { return false }
        hasOverridden = true
        return true
    }
}

extension Double {
    /// A number from 0 up to, but not including, 1.
    static func unit(_ random: inout any RandomNumberGenerator & Sendable) -> Double {
        Double(random.next() >> 11) * 0x1p-53
    }
}

/// The header `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
enum RetryAfter {
    /// How long the server asks to wait; `nil` when it does not say, or nothing that makes sense.
    ///
    /// - Parameters:
    ///   - value: the header.
    ///   - date: the response's own `Date`: against it a date is right even where the device's clock is not.
    ///   - now: the device's clock, for a response without `Date`.
    static func duration(_ value: String?, date: String?, now: () -> Date) -> Duration? {
        guard let value = value?.trimmingCharacters(in: .whitespaces), !value.isEmpty else { return nil }
        if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // More digits than any number has ask for very long.
            return .seconds(Int64(value) ?? Int64(Int32.max))
        }
        guard let until = parse(value) else { return nil }
        let seconds = until.timeIntervalSince(date.flatMap(parse) ?? now())
        guard seconds.isFinite else { return nil }
        return .seconds(min(max(seconds, 0), Double(Int32.max)))
    }

    /// A date in any of the three forms that HTTP knows.
    static func parse(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        for format in ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
