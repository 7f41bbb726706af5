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

/// An address and a port to listen on.
package struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    package var address: IPAddress
    /// 0 takes a free port.
    package var port: UInt16

    /// Port 8080 or 9090 and the like on this machine alone.
    package static func loopback(_ port: UInt16) -> ListenAddress {
        ListenAddress(address: IPAddress("127.0.0.1") ?? .loopback, port: port)
    }

    package init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Reads `127.0.0.1:8080`, `[::1]:8080`, or `:8080`, which is `127.0.0.1:8080`; nil for anything else.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        if host.isEmpty {
            self = .loopback(port)
            return
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard isBracketed == host.contains(":"),
            let address = IPAddress(isBracketed ? String(host.dropFirst().dropLast()) : String(host))
        else { return nil }
        self.init(address: address, port: port)
    }

    package var description: String {
        address.isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)"
    }
}
