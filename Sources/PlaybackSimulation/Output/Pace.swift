/// How fast the simulation goes.
package enum Pace: String, Sendable, CaseIterable {
    /// As fast as the machine and the server can.
    case max
    /// A second takes a second; only the time in which the app is in the background is passed over.
    case real
}
