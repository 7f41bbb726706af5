import Archive
import PlayStore
import SQLite
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@Suite("A database of an older layout")
struct RaiseTests {
    private let folder: TemporaryFolder
    private let data: DataPaths

    init() throws {
        folder = try TemporaryFolder()
        data = DataPaths(folder.path("data"))
        try Checkout.copyEarlierData(to: data.root)
    }

    /// Opens the database for writing, and closes it.
    ///
    /// - Returns: its totals, and what was said of its layout.
    private func open() throws -> (totals: StoreTotals, raises: [String]) {
        var configuration = StoreConfiguration()
        let raises = Mutex<[String]>([])
        configuration.onRaise = { raise in raises.withLock { $0.append("\(raise)") } }
        let totals = try SQLiteStore(data: data, configuration: configuration).totals
        return (totals, raises.withLock { $0 })
    }

    private func texts(_ sql: String, of path: String) throws -> [String] {
        let statement = try SQLiteConnection(path: path, mode: .readOnly).prepare(sql)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0)) }
        return texts
    }

    @Test("is raised when it is next opened for writing, once, and then has the tables of a new one and its own plays")
    func raised() throws {
        let (totals, raises) = try open()
        #expect(raises == ["the database was raised in place from layout 1 to 5"])
        #expect(try open().raises == [])
        #expect(totals.loaded == 742 && totals.duplicates == 74 && totals.conflicts == 1)

        let new = try StoreFixture()
        let relations = """
            SELECT s.type || ' ' || s.name || '.' || c.name || ' ' || c.type
            FROM sqlite_schema AS s, pragma_table_info(s.name) AS c ORDER BY s.name, c.cid
            """
        #expect(try texts(relations, of: data.database) == texts(relations, of: new.data.database))
        let views = "SELECT sql FROM sqlite_schema WHERE type = 'view' ORDER BY name"
        #expect(try texts(views, of: data.database) == texts(views, of: new.data.database))

        #expect(try StoreVerifier.run(data: data).findings == [])
        let plays = "SELECT count(*) || ' ' || count(player_stalls) || ' ' || count(player_stalled_ms) FROM plays"
        #expect(try texts(plays, of: data.database) == ["742 0 0"])
    }

    @Test("is left as it is by those who only read, and they say what raises it")
    func readers() throws {
        let words =
            "\(data.database) has layout 1, this program needs 5: the next 'qoe serve' or 'qoe load' of this program raises "
            + "it in place"
        let report = #expect(throws: SQLiteStoreError.self) { try SQLiteReportStore(data: data) }
        #expect(report?.description == words)
        let verify = #expect(throws: SQLiteStoreError.self) { try StoreVerifier.run(data: data) }
        #expect(verify?.description == words)
        #expect(try texts("PRAGMA user_version", of: data.database) == ["1"])
    }

    @Test("is what it was when it can't be raised to the end")
    func failure() throws {
        let connection = try SQLiteConnection(path: data.database, mode: .readWrite)
        try connection.execute("ALTER TABLE delayed_plays ADD COLUMN player_stalls INTEGER")
        let before = try texts("SELECT sql FROM sqlite_schema ORDER BY name", of: data.database)
        let fault = #expect(throws: SQLiteStoreError.self) { try open() }
        #expect(fault?.description.contains("duplicate column name") == true)
        #expect(try texts("PRAGMA user_version", of: data.database) == ["1"])
        #expect(try texts("SELECT sql FROM sqlite_schema ORDER BY name", of: data.database) == before)
    }
}
