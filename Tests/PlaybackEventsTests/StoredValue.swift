/// A value of a play as the cases write it.
enum StoredValue: Decodable, Sendable, Equatable {
    case absent
    case flag(Bool)
    case integer(Int64)
    case text([UInt8])
    case tags([String: String])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .absent
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let text = try? container.decode(String.self) {
            self = .text(Array(text.utf8))
        } else {
            self = .tags(try container.decode([String: String].self))
        }
    }
}
