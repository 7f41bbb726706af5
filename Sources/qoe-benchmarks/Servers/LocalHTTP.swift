internal import Glibc

/// Small requests to servers on this machine.
enum LocalHTTP {
    /// A port that is free now.
    static func freePort() throws -> UInt16 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
            }
        }
        guard result == 0 else { throw PeerFailure(description: "no free port") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The body of what a server answers to a GET.
    static func get(_ path: String, port: UInt16) throws -> String {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        let connection = LoadConnection(port: port, room: request.count)
        try connection.open()
        let template = RequestTemplate(request)
        var chance = SeededGenerator(seed: 0)
        var progress = connection.begin(template, using: &chance)
        for _ in 0..<100 {
            switch progress {
            case .answered: return connection.body
            case .broken: throw PeerFailure(description: "no answer to GET \(path)")
            case .waiting:
                var socket = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
                poll(&socket, 1, 100)
                progress = connection.goOn()
            }
        }
        throw PeerFailure(description: "no answer to GET \(path) in ten seconds")
    }
}
