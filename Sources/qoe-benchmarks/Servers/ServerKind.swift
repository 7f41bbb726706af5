/// Who takes requests in.
enum ServerKind: String, CaseIterable {
    /// `qoe serve`.
    case ours
    /// A server in Python with the same promises, tuned.
    case tuned
    /// A server in Python as one writes it first.
    case plain
    /// nginx, which writes bodies to a compressed log: not checked, not synced, not loaded.
    case nginx
}
