internal import ClickHouse
import Foundation
internal import Ingest

/// Carries alerts with the system's HTTP client, as the ClickHouse store does its requests.
struct URLSessionCarrier: WebhookCarrier {
    private let exchange = URLSessionExchange()

    func post(_ body: String, to url: WebhookURL, patience: Double) throws(WebhookFault) -> Int {
        var request = HTTPExchangeRequest(
            host: .init(url.host, port: url.port), usesTLS: url.usesTLS, items: [],
            fields: ["Content-Type": "application/json", "User-Agent": "qoe/\(ProgramVersion.text)"],
            body: Data(body.utf8), patience: patience)
        request.target = url.target
        do throws(HTTPExchangeFault) {
            return try exchange.answer(to: request).status
        } catch {
            throw WebhookFault(error.reason)
        }
    }

    func end() { exchange.end(inSeconds: 0) }
}
