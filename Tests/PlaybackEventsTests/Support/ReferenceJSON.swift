/// A second, plain reader of JSON's syntax (RFC 8259), against which the fast one is held. It recurses, so only for texts
/// that are not deep.
struct ReferenceJSON {
    private struct Fault: Error {
        var offset: Int
    }

    private let text: [UInt8]
    private var at = 0

    private init(_ text: [UInt8]) {
        self.text = text
    }

    /// The first byte that can't continue a document; nil for a whole document.
    static func fault(in text: [UInt8]) -> Int? {
        var reader = ReferenceJSON(text)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { reader.at = 3 }
        do throws(Fault) {
            try reader.value()
            return reader.at == text.count ? nil : reader.at
        } catch {
            return error.offset
        }
    }

    private var next: UInt8? { at < text.count ? text[at] : nil }

    private mutating func space() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { at += 1 }
    }

    private mutating func value() throws(Fault) {
        space()
        switch next {
        case UInt8(ascii: "{"):
            try members(until: "}") { reader throws(Fault) in
                guard reader.next == UInt8(ascii: "\"") else { throw Fault(offset: reader.at) }
                try reader.string()
                reader.space()
                try reader.literal(":")
                try reader.value()
            }
        case UInt8(ascii: "["): try members(until: "]") { reader throws(Fault) in try reader.value() }
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try number()
        }
        space()
    }

    private mutating func members(
        until close: Unicode.Scalar, _ member: (inout ReferenceJSON) throws(Fault) -> Void
    ) throws(Fault) {
        at += 1
        space()
        if next == UInt8(ascii: close) {
            at += 1
            return
        }
        while true {
            try member(&self)
            space()
            guard next == UInt8(ascii: ",") else { break }
            at += 1
            space()
        }
        try literal(String(close))
    }

    private mutating func literal(_ literal: String) throws(Fault) {
        for byte in literal.utf8 {
            guard next == byte else { throw Fault(offset: at) }
            at += 1
        }
    }

    private mutating func digits() throws(Fault) {
        guard let first = next, (0x30...0x39).contains(first) else { throw Fault(offset: at) }
        while let byte = next, (0x30...0x39).contains(byte) { at += 1 }
    }

    private mutating func number() throws(Fault) {
        if next == UInt8(ascii: "-") { at += 1 }
        if next == UInt8(ascii: "0") { at += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            at += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            at += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
            try digits()
        }
    }

    private mutating func string() throws(Fault) {
        at += 1
        while true {
            guard let byte = next else { throw Fault(offset: at) }
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return
            case UInt8(ascii: "\\"):
                at += 1
                guard let letter = next, "\"\\/bfnrtu".utf8.contains(letter) else { throw Fault(offset: at) }
                at += 1
                guard letter == UInt8(ascii: "u") else { continue }
                for _ in 0..<4 {
                    guard let digit = next, "0123456789abcdefABCDEF".utf8.contains(digit) else {
                        throw Fault(offset: at)
                    }
                    at += 1
                }
            case ..<0x20: throw Fault(offset: at)
            case ..<0x80: at += 1
            default:
                // The standard library knows what UTF-8 is.
                let lengths = [2, 3, 4].filter { at + $0 <= text.count }
                guard
                    let length = lengths.first(where: { length in
                        let character = String(validating: text[at..<at + length], as: UTF8.self)
                        return character?.unicodeScalars.count == 1
                    })
                else { throw Fault(offset: at) }
                at += length
            }
        }
    }
}
