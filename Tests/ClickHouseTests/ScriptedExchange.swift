import ClickHouse
import Foundation
import Synchronization

/// Answers as a test says, and remembers what was asked.
final class ScriptedExchange: HTTPExchange {
    typealias Script = @Sendable (HTTPExchangeRequest) throws(HTTPExchangeFault) -> HTTPExchangeAnswer

    private let script: Script
    private let asked = Mutex<[HTTPExchangeRequest]>([])

    /// - Parameter version: what every host says of itself.
    init(version: String = "18.16.1", _ script: @escaping Script) {
        self.script = { request throws(HTTPExchangeFault) in
            if request.text == "SELECT version()" { return .text("\(version)\n") }
            return try script(request)
        }
    }

    /// All requests but those for a version.
    var requests: [HTTPExchangeRequest] { asked.withLock { $0 }.filter { $0.text != "SELECT version()" } }

    func answer(to request: HTTPExchangeRequest) throws(HTTPExchangeFault) -> HTTPExchangeAnswer {
        asked.withLock { $0.append(request) }
        return try script(request)
    }
}

extension HTTPExchangeRequest {
    var text: String { String(decoding: body, as: UTF8.self) }

    func item(_ name: String) -> String? { items.first { $0.name == name }?.value }
}

extension HTTPExchangeAnswer {
    static func text(_ text: String, status: Int = 200, fields: [String: String] = [:]) -> HTTPExchangeAnswer {
        HTTPExchangeAnswer(status: status, fields: fields, body: Data(text.utf8))
    }
}
