internal import ClickHouse
internal import CommandLineTool
internal import PlayStore
internal import PlayStoreClickHouse

/// `qoe store create`: the tables of a ClickHouse store.
enum StoreCommand {
    static let command = Command(
        "store", summary: "makes the database and the tables of a ClickHouse store",
        operands: "create",
        options: [
            CommonOptions.store,
            Option(
                "cluster", "NAME",
                help:
                    "The cluster, as <remote_servers> of ClickHouse's configuration names it; the same as cluster= in "
                    + "--store."),
            Option(
                "replicated",
                help: "Tables that keep copies of each other, through ZooKeeper or Keeper and the macros {shard} and "
                    + "{replica} of each server."),
            Option("print", help: "Prints the statements with what they are for, and runs none."),
        ],
        notes: """
            Name every server of the cluster in --store: each gets its tables from here. What is there already stays as
            it is, so the command may be run again, for a server that has come in addition too. Afterwards --store in
            serve, load, rebuild, report, export, check and verify leads there, with cluster=NAME for a cluster.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        guard arguments.operands == ["create"] else {
            throw CommandError(.usage, "store needs one word, create (see qoe store --help)")
        }
        guard let client = try CommonOptions.clickHouse(arguments, cluster: arguments.text("cluster")) else {
            throw CommandError(.usage, "store create needs --store clickhouse://host:8123/database")
        }
        let isReplicated = arguments.flag("replicated")
        guard !isReplicated || client.url.cluster != nil else {
            throw CommandError(
                .usage,
                "--replicated needs --cluster: only by way of a cluster is a copy passed over that is far behind")
        }
        if arguments.flag("print") {
            try StandardOutput.write(ClickHouseSetup.script(client.url, isReplicated: isReplicated))
            return .success
        }
        try CommandFailure.translated { try ClickHouseSetup.create(client, isReplicated: isReplicated) }
        let hosts = client.url.hosts.map(\.description).joined(separator: ", ")
        try StandardOutput.write("\(client.url.database) is ready on \(hosts)\n")
        return .success
    }
}
