extension DocumentDecoder {
    /// Takes the sender's account; anything wrong in it makes it none.
    mutating func takeSender(in bytes: RawSpan) throws(SyntaxFault) {
        guard try scanner.peek(in: bytes) == UInt8(ascii: "{") else {
            if try scanner.takeNull(in: bytes) { return }
            senderMember = .bad
            return try scanner.skipValue(in: bytes, level: 1)
        }
        senderMember = .good
        account = try scanner.takeAccount(level: 2, in: bytes)
    }
}
