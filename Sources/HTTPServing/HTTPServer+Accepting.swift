internal import Glibc
internal import Platform

extension HTTPServer {
    /// Accepts until the listener stops; what the system has accepted by then is still served.
    func acceptConnections(_ listener: Listener) {
        var lastNotice: MonotonicTime?
        var isStopping = false
        while true {
            let outcome = listener.acceptWaiting(serve)
            if isStopping { break }
            switch outcome {
            case .taken: isStopping = listener.waitForMore()
            case .exhausted(let code):
                counters.countAcceptPause()
                if lastNotice.map({ $0 + .seconds(60) <= .now }) ?? true {
                    lastNotice = .now
                    configuration.report(.acceptingPaused(errno: code))
                }
                isStopping = listener.pause(configuration.acceptPause)
            }
        }
        listener.end()
    }
}
