import Dispatch
import Foundation
import FoundationNetworking
internal import Platform
internal import Synchronization

/// The system's HTTP client.
///
/// A request is never cancelled, since on Linux one that is starting must not be: when its time is over it is left to itself.
package final class URLSessionExchange: HTTPExchange {
    /// When waiting ends for good.
    private let end = Mutex<MonotonicTime?>(nil)

    package init() {}

    package func response(to request: HTTPExchangeRequest) throws(HTTPExchangeError) -> HTTPExchangeResponse {
        if request.host.name.hasPrefix("[") {
            guard !request.usesTLS else {
                throw HTTPExchangeError("with TLS an IPv6 address needs a name, as /etc/hosts can give it one")
            }
            let exchange = SocketExchange { [self] in end.withLock { $0 } ?? .distantFuture }
            return try exchange.response(to: request, target: Self.target(request))
        }
        guard CurlLibrary.isThere else {
            throw HTTPExchangeError("libcurl.so.4 is missing here: apt-get install libcurl4")
        }
        let prepared = try Self.urlRequest(request)
        let pending = PendingValue<Result<HTTPExchangeResponse, HTTPExchangeError>>()
        // Each request has a session, and so a connection, of its own: on Linux one that meets a kept connection which is
        // closed just then is never heard of again, since its body can't be read once more.
        let session = Self.makeSession(seconds: request.patience + 60)
        defer { session.finishTasksAndInvalidate() }
        session.dataTask(with: prepared) { data, response, error in
            pending.fulfil(Self.outcome(data, response, error))
        }.resume()
        let deadline = MonotonicTime.now + .seconds(request.patience)
        while true {
            let end = end.withLock { $0 } ?? .distantFuture
            // In steps, since the end may be named meanwhile.
            let next = min(deadline, end, .now + .milliseconds(500))
            if let result = pending.wait(until: next) { return try result.get() }
            if .now >= end { throw HTTPExchangeError("no response yet, and the program is ending") }
            guard .now < deadline else { break }
        }
        throw HTTPExchangeError("no response in \(Int(request.patience)) seconds")
    }

    package func end(inSeconds seconds: Double) {
        end.withLock { $0 = .now + .seconds(seconds) }
    }

    private static func makeSession(seconds: Double) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // The waiting has its own end; what is left to itself ends somewhat later.
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        return URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    private static func urlRequest(_ request: HTTPExchangeRequest) throws(HTTPExchangeError) -> URLRequest {
        let position = "\(request.usesTLS ? "https" : "http")://\(request.host)"
        guard let url = URL(string: position + target(request)) else {
            throw HTTPExchangeError("it makes no URL")
        }
        var prepared = URLRequest(url: url)
        prepared.httpMethod = "POST"
        prepared.timeoutInterval = request.patience + 60
        for (name, value) in request.fields { prepared.setValue(value, forHTTPHeaderField: name) }
        prepared.setValue("close", forHTTPHeaderField: "Connection")
        prepared.httpBody = request.body
        return prepared
    }

    private static func target(_ request: HTTPExchangeRequest) -> String {
        let query = request.items.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
        return request.target + (query.isEmpty ? "" : "?" + query)
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static func outcome(
        _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
    ) -> Result<HTTPExchangeResponse, HTTPExchangeError> {
        if let error {
            let error = error as NSError
            // Nobody else cancels: the response was a refusal, and its words are lost.
            if error.code == NSURLErrorCancelled { return .success(HTTPExchangeResponse(status: 401, body: Data())) }
            // The second is what Foundation makes of a response without a byte.
            let isBrokenOff = [NSURLErrorNetworkConnectionLost, NSURLErrorBadServerResponse].contains(error.code)
            return .failure(HTTPExchangeError(words(error), isBrokenOff: isBrokenOff))
        }
        guard let response = response as? HTTPURLResponse else {
            return .failure(HTTPExchangeError("it speaks no HTTP"))
        }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
        return .success(
            HTTPExchangeResponse(status: response.statusCode, fields: fields, body: data ?? Data()))
    }

    /// Foundation has no words for these of its own on Linux.
    private static func words(_ error: NSError) -> String {
        switch error.code {
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: "no such host"
        case NSURLErrorCannotConnectToHost: "nothing listens there"
        case NSURLErrorNetworkConnectionLost, NSURLErrorBadServerResponse: "the connection broke off"
        case NSURLErrorTimedOut: "no response in time"
        case NSURLErrorSecureConnectionFailed, NSURLErrorServerCertificateUntrusted,
            NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateHasUnknownRoot:
            "TLS failed"
        default: "\(error.localizedDescription) (\(error.code))"
        }
    }
}

/// A database has no business sending its clients elsewhere, with their passwords.
private final class NoRedirects: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// A refused password is a response. Foundation on Linux would send the same request again and again.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(
            challenge.failureResponse == nil ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
    }
}
