/// What a ``Committer`` has done since its start, and how it stands.
package struct CommitterSnapshot: Sendable, Equatable {
    /// Requests whose lines are durable, and such as were refused with an error of the disk.
    package var commits: UInt64 = 0
    package var failures: UInt64 = 0
    /// Lines as they came, in bytes.
    package var lineBytes: UInt64 = 0
    /// Files as they were written, in bytes.
    package var archivedBytes: UInt64 = 0
    /// Lines of one group commit, in bytes.
    package var groupBytes = Histogram(bounds: [1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304])
    /// Requests in one group commit.
    package var groupCommits = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
    /// One sync of a file, in seconds.
    package var syncSeconds = Histogram(
        bounds: [0.000_25, 0.000_5, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1, 2, 4])
    /// Rejected events that the quarantine holds, and such as were only counted because it is full.
    package var quarantineKept: UInt64 = 0
    package var quarantineDropped: UInt64 = 0
    /// The quarantine's files, in bytes.
    package var quarantineBytes: Int64 = 0
    /// The files of players' reports, in bytes.
    package var reportBytes: Int64 = 0
    /// Lines that wait, in bytes.
    package var queueBytes = 0
    /// The last commit was durable; true before the first.
    package var lastCommitGood = true
    /// Nothing will be committed any more: the process has to end.
    package var fatal: FileFault?
}
