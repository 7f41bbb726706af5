import Ingest
import Testing

@Suite("A key ring")
struct KeyRingTests {
    @Test("finds the name of each of its keys, and of no other")
    func names() throws {
        let ring = try KeyRing(text: "# ours\nios abcdefghijklmnop\n\n  web\t0123456789abcdef # the site's\r\n")
        #expect(ring.name(of: "abcdefghijklmnop".utf8) == "ios")
        #expect(ring.name(of: "0123456789abcdef".utf8) == "web")
        #expect(ring.name(of: "abcdefghijklmnoq".utf8) == nil)
        #expect(ring.name(of: "".utf8) == nil)
    }

    @Test(
        "refuses a file that is not made of names and keys, and names the line but never the key",
        arguments: [
            ("ios abcdefghijklmnop extra", 1, "should be NAME KEY"),
            ("\nsecretsecretsecret", 2, "should be NAME KEY"),
            ("ios short", 1, "the key is shorter than 16 characters"),
            ("a abcdefghijklmnop\na bbcdefghijklmnop", 2, "the name a stands there twice"),
            ("# nothing\n", 1, "there is no key in the file"),
            ("ios - oooooooooooooooo more", 1, "should be NAME - or NAME - KEY"),
            ("a -\na abcdefghijklmnop", 2, "the name a stands there twice"),
        ])
    func faults(text: String, line: Int, reason: String) {
        let error = #expect(throws: KeyFileError.self) { try KeyRing(text: text) }
        #expect(error == KeyFileError(line: line, reason: reason))
    }

    @Test("reads lines that end as Windows ends them")
    func lineEnds() throws {
        let ring = try KeyRing(text: "ios abcdefghijklmnop\r\n# ours\r\nweb 0123456789abcdef\r\n")
        #expect(ring.name(of: "abcdefghijklmnop".utf8) == "ios")
        #expect(ring.name(of: "0123456789abcdef".utf8) == "web")
    }

    @Test("reads a file that begins with a byte order mark, and keys with a # in them to their end")
    func marks() throws {
        let ring = try KeyRing(text: "\u{FEFF}# ours\nios abcdefghijklmnop#q #rs")
        #expect(ring.name(of: "abcdefghijklmnop#q".utf8) == "ios")
        #expect(ring.name(of: "abcdefghijklmnop".utf8) == nil)
    }

    @Test("of which all keys are withdrawn lets nobody in, and knows them from the ring before")
    func withdrawn() throws {
        let earlier = try KeyRing(text: "ios abcdefghijklmnop")
        let ring = try KeyRing(text: "ios -\nweb - 0123456789abcdef").knowing(earlier)
        #expect(!ring.isEmpty)
        for key in ["abcdefghijklmnop", "0123456789abcdef"] {
            #expect(ring.name(of: key.utf8) == nil)
            #expect(ring.isWithdrawn(key.utf8))
        }
        #expect(!ring.isWithdrawn("another".utf8) && !ring.isWithdrawn("-".utf8))
        let rules = AccessRules(
            writeKeys: ring, readKeys: KeyRing(), allowsAnonymous: true, listensOnLoopback: true)
        #expect(rules.verdict(for: .write, key: nil) == .keyMissing)
        #expect(rules.verdict(for: .write, key: "abcdefghijklmnop") == .keyWithdrawn)
    }

    @Test("does not hold the keys themselves")
    func digestsOnly() throws {
        let ring = try KeyRing(text: "ios abcdefghijklmnop")
        var dump = ""
        Swift.dump(ring, to: &dump)
        #expect(!dump.contains("abcdefghijklmnop"))
    }
}

@Suite("Access rules")
struct AccessRulesTests {
    private func rules(write: String?, read: String?, anonymous: Bool = false, loopback: Bool = true) throws
        -> AccessRules
    {
        AccessRules(
            writeKeys: try write.map { try KeyRing(text: "w \($0)") } ?? KeyRing(),
            readKeys: try read.map { try KeyRing(text: "r \($0)") } ?? KeyRing(),
            allowsAnonymous: anonymous, listensOnLoopback: loopback)
    }

    private let writeKey = "wwwwwwwwwwwwwwww"
    private let readKey = "rrrrrrrrrrrrrrrr"

    @Test("let everybody in on loopback while there is no key at all")
    func open() throws {
        let rules = try rules(write: nil, read: nil)
        #expect(rules.verdict(for: .write, key: nil) == .allowed(keyName: "anonymous"))
        #expect(rules.verdict(for: .read, key: nil) == .allowed(keyName: "anonymous"))
    }

    @Test("let nobody in elsewhere without a key, unless told so")
    func elsewhere() throws {
        #expect(try rules(write: nil, read: nil, loopback: false).verdict(for: .write, key: nil) == .keyMissing)
        #expect(
            try rules(write: nil, read: nil, anonymous: true, loopback: false).verdict(for: .write, key: nil)
                == .allowed(keyName: "anonymous"))
    }

    @Test("ask for the key of the kind, and take no other")
    func kinds() throws {
        let rules = try rules(write: writeKey, read: readKey)
        #expect(rules.verdict(for: .write, key: writeKey) == .allowed(keyName: "w"))
        #expect(rules.verdict(for: .read, key: readKey) == .allowed(keyName: "r"))
        #expect(rules.verdict(for: .write, key: readKey) == .keyUnknown)
        #expect(rules.verdict(for: .read, key: writeKey) == .keyUnknown)
        #expect(rules.verdict(for: .write, key: nil) == .keyMissing)
    }

    @Test("close the reports when only write keys are configured")
    func writeOnly() throws {
        #expect(try rules(write: writeKey, read: nil).verdict(for: .read, key: nil) == .keyMissing)
    }
}

@Suite("The rate of a key")
struct RateLimiterTests {
    private let start = ContinuousClock.now

    @Test("allows a burst of ten seconds' worth, then one rate")
    func burst() {
        let limiter = RateLimiter(eventsPerSecond: 10)
        for _ in 0..<10 { #expect(limiter.take(10, key: "a", at: start) == nil) }
        #expect(limiter.take(10, key: "a", at: start) == 1)
        #expect(limiter.take(10, key: "a", at: start + .seconds(1)) == nil)
        #expect(limiter.take(10, key: "a", at: start + .seconds(1)) == 1)
        #expect(limiter.take(10, key: "b", at: start) == nil)
    }

    @Test("lets a batch larger than the burst through, and makes the next one wait for the debt")
    func debt() {
        let limiter = RateLimiter(eventsPerSecond: 1)
        #expect(limiter.take(110, key: "a", at: start) == nil)
        #expect(limiter.take(0, key: "a", at: start) == 100)
        #expect(limiter.take(0, key: "a", at: start + .seconds(101)) == nil)
    }

    @Test("is charged for what failed, though it is in debt already")
    func charge() {
        let limiter = RateLimiter(eventsPerSecond: 1)
        for _ in 0..<20 { limiter.charge(1, key: "a", at: start) }
        #expect(limiter.take(0, key: "a", at: start) == 10)
        #expect(limiter.take(0, key: "b", at: start) == nil)
    }
}

@Suite("The CORS policy")
struct CORSPolicyTests {
    private func names(_ fields: [(name: String, value: String)]) -> [String] {
        fields.map { "\($0.name): \($0.value)" }
    }

    @Test("says nothing when no origin is configured")
    func off() {
        #expect(CORSPolicy(origins: []).fields(origin: "https://a.example", withCredentials: true).isEmpty)
        #expect(CORSPolicy(origins: []).preflightFields(origin: "https://a.example", methods: "POST").isEmpty)
    }

    @Test("names the origin that is allowed, and no other, and varies by it", arguments: [false, true])
    func list(withCredentials: Bool) {
        let policy = CORSPolicy(origins: ["https://a.example"])
        let allowed = names(policy.fields(origin: "https://a.example", withCredentials: withCredentials))
        #expect(allowed.contains("Vary: Origin"))
        #expect(allowed.contains("Access-Control-Allow-Origin: https://a.example"))
        #expect(allowed.contains("Access-Control-Allow-Credentials: true") == withCredentials)
        #expect(
            names(policy.fields(origin: "https://b.example", withCredentials: withCredentials)) == ["Vary: Origin"])
        #expect(policy.preflightFields(origin: "https://b.example", methods: "POST").isEmpty)
        #expect(
            names(policy.preflightFields(origin: "https://a.example", methods: "POST"))
                .contains("Access-Control-Allow-Headers: authorization, content-encoding, content-type"))
    }

    @Test("allows every origin with *, by its name where credentials may come along")
    func all() {
        let policy = CORSPolicy(origins: ["*"])
        let plain = names(policy.fields(origin: "https://a.example", withCredentials: false))
        #expect(plain.contains("Access-Control-Allow-Origin: *"))
        #expect(!plain.contains { $0.contains("Credentials") })
        let withCredentials = names(policy.fields(origin: "https://a.example", withCredentials: true))
        #expect(withCredentials.contains("Access-Control-Allow-Origin: https://a.example"))
        #expect(withCredentials.contains("Access-Control-Allow-Credentials: true"))
        // Browsers take no credentials for an origin without a name.
        #expect(!names(policy.fields(origin: nil, withCredentials: true)).contains { $0.contains("Credentials") })
    }
}
