import Foundation
import HTTPServing
import Ingest
import Synchronization
import TestSupport

/// What a webhook leads to: answers as it is told, and keeps what came.
final class AlertReceiver: HTTPHandler {
    struct Message: Sendable, Equatable {
        var key: String
        var state: String
        var level: String
        var group: [String: String]
        var body: String
    }

    private let received = Mutex<[Message]>([])
    /// The statuses of the next answers; then 200.
    let statuses: Mutex<[Int]>
    private let server = Mutex<HTTPServer?>(nil)

    init(_ statuses: [Int] = []) throws {
        self.statuses = Mutex(statuses)
        let listening = try HTTPServer(address: "127.0.0.1", port: 0, handler: self)
        try listening.start()
        server.withLock { $0 = listening }
    }

    /// Takes no more; without it the listener lives on.
    func stop() {
        _ = server.withLock { server in
            defer { server = nil }
            return server
        }?.stop()
    }

    var url: WebhookURL {
        get throws {
            let port = server.withLock { $0?.port ?? 1 }
            guard let url = WebhookURL("http://127.0.0.1:\(port)/alerts?token=secret") else {
                throw CancellationError()
            }
            return url
        }
    }

    /// Those that were answered, whatever the status.
    var messages: [Message] { received.withLock { $0 } }

    /// Their states, in order.
    var states: [String] { messages.map(\.state) }

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        .take(
            HTTPAdmitted(bodyLimit: 1 << 20) { [self] request, _ in
                let json = try? JSONSerialization.jsonObject(with: Data(request.body))
                let object = json as? [String: Any] ?? [:]
                received.withLock { received in
                    received.append(
                        Message(
                            key: object["key"] as? String ?? "", state: object["state"] as? String ?? "",
                            level: object["level"] as? String ?? "", group: object["group"] as? [String: String] ?? [:],
                            body: String(decoding: request.body, as: UTF8.self)))
                }
                let status = statuses.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
                return HTTPResponse(status: head.target == "/alerts?token=secret" ? status : 404, body: [])
            })
    }

    func answer(to fault: HTTPFault, head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(status: fault.status, body: [])
    }
}

/// Carries alerts over a plain connection of this machine.
struct LoopbackCarrier: WebhookCarrier {
    func post(_ body: String, to url: WebhookURL, patience: Double) throws(WebhookFault) -> Int {
        do {
            let connection = try LoopbackConnection(port: Int(url.port), timeout: Int(patience))
            return try connection.post(url.target, Array(body.utf8)).status
        } catch {
            throw WebhookFault("\(error)")
        }
    }

    func end() {}
}
