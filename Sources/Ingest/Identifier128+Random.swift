package import PlaybackEvents

extension Identifier128 {
    /// 128 bits from the system's source of randomness.
    package static func random() -> Identifier128 {
        var system = SystemRandomNumberGenerator()
        return Identifier128(high: system.next(), low: system.next())
    }
}
