import Foundation
import TestSupport
import Testing

/// A file of `cases/validation`: one request body and what becomes of it.
struct ValidationCase: Sendable, CustomTestStringConvertible {
    struct Expected: Decodable, Sendable, Equatable {
        var index: Int
        var code: String
        var field: String
    }

    struct Fill: Decodable, Sendable {
        var token: String
        var text: String
        var count: Int
    }

    private struct File: Decodable {
        var why: String
        var body: String?
        var body_base64: String?
        var fill: [Fill]?
        var receivedAt: Int64?
        var status: Int
        var error: String?
        var offset: Int?
        var accepted: Int
        var rejected: [Expected]
        var stored: [[String: StoredValue]]?
    }

    var name: String
    var why: String
    var body: [UInt8]
    var receivedAt: Int64
    var status: Int
    var error: String?
    var offset: Int?
    var accepted: Int
    var rejected: [Expected]
    var stored: [[String: StoredValue]]?

    var testDescription: String { "\(name): \(why)" }

    init(_ url: URL) throws {
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
        name = url.deletingPathExtension().lastPathComponent
        why = file.why
        if let base64 = file.body_base64 {
            body = Array(Data(base64Encoded: base64) ?? Data())
        } else {
            var text = file.body ?? ""
            for fill in file.fill ?? [] {
                text = text.replacingOccurrences(
                    of: fill.token, with: String(repeating: fill.text, count: fill.count))
            }
            body = Array(text.utf8)
        }
        receivedAt = file.receivedAt ?? 1_796_000_000_000
        status = file.status
        error = file.error
        offset = file.offset
        accepted = file.accepted
        rejected = file.rejected
        stored = file.stored
    }

    /// All cases, by name.
    static let all: [ValidationCase] = {
        let folder = Checkout.cases.appendingPathComponent("validation")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "json" }.compactMap { try? ValidationCase($0) }
            .sorted { $0.name < $1.name }
    }()
}

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
