/// Why a summary was given up.
public enum DropReason: String, Sendable, Hashable, CaseIterable {
    /// The queue was full, and newer ones came.
    case overflow
    /// The endpoint refused the whole request, and would again.
    case refused
    /// The endpoint refused this one play, and would again.
    case rejected
    /// Too large for the endpoint, even alone.
    case tooLarge
    /// Its figures can't be sent: negative, or at odds with each other.
    case unencodable
    /// Metrics were turned off.
    case disabled
}
