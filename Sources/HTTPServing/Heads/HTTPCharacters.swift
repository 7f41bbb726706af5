/// The classes of bytes that RFC 9110 and RFC 3986 name.
enum HTTPCharacters {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")

    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") <= 9
    }

    /// RFC 9110, 5.6.2: what method and field names are made of.
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// RFC 9110, 5.5: a byte that may stand in a field's value: tab, space, anything visible, anything above ASCII.
    static func isFieldText(_ byte: UInt8) -> Bool {
        byte >= 0x20 ? byte != 0x7F : byte == tab
    }

    /// What URLs as browsers write them have in a path or a query: visible ASCII without `"`, `#`, `<`, `>` and `\`.
    ///
    /// RFC 3986 also leaves out ``[ ] ^ ` { | }``, which the URL standard of browsers does not escape in a query.
    static func isTarget(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21...0x7E:
            byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "<")
                && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "\\")
        default: false
        }
    }

    /// RFC 3986, 3.2: host and port, without user information.
    static func isAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: isTarget(byte)
        }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// Without spaces and tabs at both ends.
    static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes
        while let first = bytes.first, first == space || first == tab { bytes.removeFirst() }
        while let last = bytes.last, last == space || last == tab { bytes.removeLast() }
        return bytes
    }

    /// Whether two runs of bytes are equal but for the case of ASCII letters.
    static func equal(_ bytes: UnsafeRawBufferPointer, _ text: String) -> Bool {
        var text = text
        return text.withUTF8 { other in
            guard bytes.count == other.count else { return false }
            for index in 0..<bytes.count where lowercased(bytes[index]) != lowercased(other[index]) { return false }
            return true
        }
    }
}
