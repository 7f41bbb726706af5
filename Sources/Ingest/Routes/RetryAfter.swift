/// How long a refused client is told to wait: at least `floor` seconds and up to ten more by chance, so that those who
/// were refused together do not come back together.
enum RetryAfter {
    static func field(atLeast floor: Int) -> (name: String, value: String) {
        ("Retry-After", String(floor + Int.random(in: 0...10)))
    }
}
