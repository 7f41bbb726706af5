import Testing

@testable import HTTPServing

@Suite("Addresses")
struct IPAddressTests {
    @Test("are the same in their mapped form")
    func mapped() throws {
        let plain = try #require(IPAddress("10.1.2.3"))
        #expect(IPAddress("::ffff:10.1.2.3") == plain)
        #expect(plain.isIPv4)
        #expect("\(plain)" == "10.1.2.3")
        #expect("\(try #require(IPAddress("2001:DB8:0:0::1")))" == "2001:db8::1")
    }

    @Test("know the loopback", arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    func loopback(_ text: String) {
        #expect(IPAddress(text)?.isLoopback == true)
    }

    @Test("elsewhere are no loopback", arguments: ["128.0.0.1", "0.0.0.0", "::", "::2", "::7f00:1", "fe80::1"])
    func elsewhere(_ text: String) {
        #expect(IPAddress(text)?.isLoopback == false)
    }

    @Test(
        "are no names, zones or odd numbers",
        arguments: [
            "", "localhost", "1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", "[::1]", "fe80::1%eth0", "::g", "1::2::3",
        ])
    func refuses(_ text: String) {
        #expect(IPAddress(text) == nil)
    }
}

@Suite("A range of addresses")
struct IPAddressRangeTests {
    @Test(
        "holds what begins as it does",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:10.0.0.0/104", "10.1.2.3", true),
            ("10.0.0.128/25", "10.0.0.127", false), ("10.0.0.128/25", "10.0.0.129", true),
            ("10.0.0.7", "10.0.0.7", true), ("10.0.0.7", "10.0.0.6", false), ("10.0.0.7/32", "10.0.0.7", true),
            ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false), ("::/0", "::1", true),
            ("::/0", "1.2.3.4", false), ("::1/128", "::1", true), ("::1", "::2", false),
            ("fd00::/8", "fdff::1", true), ("fd00::/8", "fc00::1", false), ("2001:db8::/64", "2001:db8::ffff", true),
            ("2001:db8::/64", "2001:db8:0:1::", false), ("2001:db8::/65", "2001:db8::8000:0:0:0", false),
        ])
    func contains(_ range: String, _ address: String, _ isHeld: Bool) throws {
        let range = try #require(IPAddressRange(range))
        #expect(range.contains(try #require(IPAddress(address))) == isHeld)
    }

    @Test(
        "is an address and a length that leaves no bit over",
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.1/8", "::1/64", "::/129",
            "::/1234", "10.0.0.0/8/8", "10.0.0.0/x", "host/8",
        ])
    func refuses(_ text: String) {
        #expect(IPAddressRange(text) == nil)
    }
}
