package import Foundation

/// One golden case of `Tests/cases/validation`: a request body and what the endpoint makes of it.
package struct ValidationCase: Sendable, CustomStringConvertible {
    package struct Rejected: Sendable, Equatable {
        package let index: Int
        package let code: String
        package let field: String

        package init(index: Int, code: String, field: String) {
            self.index = index
            self.code = code
            self.field = field
        }
    }

    package let name: String
    package let body: [UInt8]
    /// ms since 1970; nil when any time will do.
    package let receivedAt: Int64?
    package let status: Int
    package let error: String?
    package let offset: Int?
    package let accepted: Int
    package let rejected: [Rejected]
    /// JSON: the plays in the store, each named by some of its fields; nil when the case says nothing of them.
    package let stored: Data?

    package var description: String { name }

    /// Every case, in the order of its number.
    package static let all: [ValidationCase] = {
        do {
            let folder = Checkout.cases.appendingPathComponent("validation")
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                .filter { $0.hasSuffix(".json") }
                .map { try ValidationCase(Data(contentsOf: folder.appendingPathComponent($0))) }
        } catch {
            fatalError("the golden cases can't be read: \(error)")
        }
    }()

    private struct Failure: Error {}

    private init(_ data: Data) throws {
        guard let json = try JSONSerialization.jsonObject(with: data) as? [String: Any],
            let name = json["name"] as? String, let status = json["status"] as? Int
        else { throw Failure() }
        self.name = name
        self.status = status
        receivedAt = (json["receivedAt"] as? NSNumber)?.int64Value
        error = json["error"] as? String
        offset = json["offset"] as? Int
        accepted = json["accepted"] as? Int ?? 0
        rejected = (json["rejected"] as? [[String: Any]] ?? []).map { entry in
            Rejected(
                index: entry["index"] as? Int ?? -1, code: entry["code"] as? String ?? "",
                field: entry["field"] as? String ?? "?")
        }
        stored = try (json["stored"] as? [Any]).map { try JSONSerialization.data(withJSONObject: $0) }
        if let encoded = json["body_base64"] as? String {
            body = Array(Data(base64Encoded: encoded) ?? Data())
        } else {
            var text = json["body"] as? String ?? ""
            for rule in json["fill"] as? [[String: Any]] ?? [] {
                guard let token = rule["token"] as? String, let filling = rule["text"] as? String,
                    let count = rule["count"] as? Int
                else { throw Failure() }
                text = text.replacingOccurrences(of: token, with: String(repeating: filling, count: count))
            }
            body = Array(text.utf8)
        }
    }
}
