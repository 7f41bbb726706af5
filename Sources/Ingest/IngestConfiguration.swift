package import Archive
package import HTTPServing
package import PlayStore
package import Reports

/// How an ingest server is set up.
package struct IngestConfiguration: Sendable {
    package var dataDirectory: String
    package var store: any StoreChoice = EmbeddedChoice()
    package var listen = ListenAddress.loopback(8_080)
    package var adminListen = ListenAddress.loopback(9_090)
    package var writeKeyFile: String?
    package var readKeyFile: String?
    package var allowsAnonymous = false
    package var corsOrigins: [String] = []
    package var regionHeaders: [String] = []
    package var trustedProxies: [IPAddressRange] = []
    /// Without it a key has no rate.
    package var eventsPerSecondPerKey: Int?
    /// Without it as many as the limit of open files allows.
    package var maximumConnections: Int?
    /// How far the store may lie behind the archive, in bytes of archive.
    package var maximumLagBytes = 4 << 30
    /// How often the database is looked at as the next reader will find it, in ms.
    package var databaseLookMs = 15_000
    /// Bodies as sent, bodies inflated and commits that wait, together, in bytes.
    package var bytesInFlight = 64 << 20
    /// Whether players may report in CMCD's event mode.
    package var takesCMCD = true
    /// How plays are made of what they report.
    package var folding = FoldConfiguration()
    /// What is removed by itself, and when closed files are compacted.
    package var housekeeping = HousekeepingConfiguration()
    /// What lines that are no reports may take of the quarantine, in bytes.
    package var badReportBytes = QuarantineShare.usual
    /// What kind of trouble error codes are, on the page.
    package var errorClasses = ErrorClasses.standard
    /// Which service levels are watched, and who is told.
    package var alerts = AlertConfiguration()
    /// The server's name, part of its files' names.
    package var node = NodeName.standard
    /// The program's version, for the metrics.
    package var version = ""

    package init(dataDirectory: String) {
        self.dataDirectory = dataDirectory
    }
}
