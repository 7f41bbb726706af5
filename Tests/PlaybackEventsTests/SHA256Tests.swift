import PlaybackEvents
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "gives the digests of the standard's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (String(repeating: "a", count: 1_000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
        ])
    func examples(message: String, hex: String) {
        let digest = SHA256.digest(message.utf8)
        #expect(digest.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == hex)
    }

    @Test("pads messages of every length to whole blocks", arguments: 0...130)
    func lengths(count: Int) {
        #expect(SHA256.digest([UInt8](repeating: 7, count: count)).bytes.count == 32)
    }
}
