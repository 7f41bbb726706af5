/// The settings of ClickHouse that are sent with every request, so that servers of all versions and configurations do the
/// same.
package enum ClickHouseSettings {
    /// What a request is for.
    package enum Purpose: Sendable, Equatable {
        case query(Bounds)
        /// Rows into a table. The token names the block for servers that know such tokens; blocks that are equal to one
        /// that was there before are left out by replicated tables when `leavesOutRepeats` says so.
        case insertion(token: String, leavesOutRepeats: Bool)
        /// A statement that makes or changes tables.
        case definition
    }

    /// What a query may take.
    package struct Bounds: Sendable, Equatable {
        /// Of work.
        package var seconds: Int64 = 600
        /// That are read.
        package var rows: Int64 = 1_000_000_000_000_000
        /// Of the response, which is held in memory.
        package var responseBytes: Int64 = 8_000_000_000

        package init() {}
    }

    /// One setting, and the first version that knows it; an older one would refuse the request.
    struct Setting: Sendable {
        var name: String
        var value: String
        var since = ClickHouseVersion.oldest
        /// The first version that needs it no more, nil when all do.
        var until: ClickHouseVersion?

        func suits(_ version: ClickHouseVersion) -> Bool {
            since <= version && until.map { version < $0 } ?? true
        }
    }

    /// Those that a server of a version knows, in a fixed order.
    package static func items(
        _ purpose: Purpose, version: ClickHouseVersion
    ) -> [(name: String, value: String)] {
        settings(purpose).filter { $0.suits(version) }.map { ($0.name, $0.value) }
    }

    static func settings(_ purpose: Purpose) -> [Setting] {
        switch purpose {
        case .query(let bounds): common + reading + settings(bounds)
        case .insertion(let token, let leavesOutRepeats): common + writing(token, leavesOutRepeats)
        case .definition: common
        }
    }

    private static let common: [Setting] = [
        // Half of the rows is no response: a missing shard is an error.
        Setting(name: "skip_unavailable_shards", value: "0"),
        Setting(name: "max_query_size", value: "67108864"),
        Setting(name: "max_ast_elements", value: "5000000"),
        Setting(name: "max_expanded_ast_elements", value: "5000000"),
    ]

    private static let reading: [Setting] = [
        // A copy that lacks more than the last minutes is not read, and a shard that has no other is as good as missing.
        Setting(name: "max_replica_delay_for_distributed_queries", value: "300"),
        Setting(name: "fallback_to_stale_replicas_for_distributed_queries", value: "0"),
        // A subquery over a sharded table means all of it, not each shard's part.
        Setting(name: "distributed_product_mode", value: "global"),
        Setting(name: "join_use_nulls", value: "1"),
        // With FINAL, 18.16 mixes up the columns of the shard that is on the same server ("Cannot find column").
        Setting(name: "prefer_localhost_replica", value: "0", until: .init(20, 1)),
        // Groups spill to the disk instead of failing for want of memory.
        Setting(name: "max_bytes_before_external_group_by", value: "1000000000"),
        Setting(name: "max_bytes_before_external_sort", value: "1000000000"),
        Setting(name: "transform_null_in", value: "0", since: .init(20, 4)),
        Setting(name: "output_format_tsv_crlf_end_of_line", value: "0", since: .init(20, 3)),
        Setting(name: "aggregate_functions_null_for_empty", value: "0", since: .init(20, 10)),
        // A key lies in one partition always, so partitions need not be merged with each other.
        Setting(name: "do_not_merge_across_partitions_select_final", value: "1", since: .init(20, 10)),
        Setting(name: "prefer_column_name_to_alias", value: "0", since: .init(21, 3)),
        Setting(name: "session_timezone", value: "UTC", since: .init(23, 6)),
    ]

    private static func settings(_ bounds: Bounds) -> [Setting] {
        [
            Setting(name: "max_execution_time", value: String(bounds.seconds)),
            Setting(name: "timeout_overflow_mode", value: "throw"),
            Setting(name: "max_rows_to_read", value: String(bounds.rows)),
            // A play's row has a few hundred bytes.
            Setting(name: "max_bytes_to_read", value: String(bounds.rows * 1_000)),
            Setting(name: "read_overflow_mode", value: "throw"),
            Setting(name: "max_result_rows", value: String(min(bounds.rows, 1_000_000_000))),
            Setting(name: "max_result_bytes", value: String(bounds.responseBytes)),
            Setting(name: "result_overflow_mode", value: "throw"),
        ]
    }

    private static func writing(_ token: String, _ leavesOutRepeats: Bool) -> [Setting] {
        [
            // The response comes when every shard has its rows.
            Setting(name: "insert_distributed_sync", value: "1"),
            Setting(name: "insert_deduplicate", value: leavesOutRepeats ? "1" : "0"),
            Setting(name: "max_partitions_per_insert_block", value: "0", since: .init(19, 5)),
            Setting(name: "input_format_null_as_default", value: "0", since: .init(19, 16)),
            Setting(name: "async_insert", value: "0", since: .init(21, 11)),
            Setting(name: "insert_deduplication_token", value: token, since: .init(22, 2)),
        ]
    }
}

/// A server's version, as far as it decides what the server knows: `18.16.1` is 18.16.
package struct ClickHouseVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    package var major: Int
    package var minor: Int

    package init(_ major: Int, _ minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Reads what `SELECT version()` answers; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1]), major >= 0, minor >= 0 else {
            return nil
        }
        self.init(major, minor)
    }

    /// The oldest that this client speaks to.
    package static let oldest = ClickHouseVersion(18, 16)

    package static func < (one: ClickHouseVersion, other: ClickHouseVersion) -> Bool {
        (one.major, one.minor) < (other.major, other.minor)
    }

    package var description: String { "\(major).\(minor)" }
}
