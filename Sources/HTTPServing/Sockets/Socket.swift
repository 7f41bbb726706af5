internal import Glibc
internal import Platform

/// The system calls on a socket, each again when a signal interrupts it. A result below 0 is a negated `errno`.
enum Socket {
    /// Reads what is there, at most as much as fits; 0 at the end.
    static func receive(_ socket: Int32, into bytes: UnsafeMutableRawBufferPointer, waits: Bool) -> Int {
        while true {
            let count = recv(socket, bytes.baseAddress, bytes.count, waits ? 0 : Int32(MSG_DONTWAIT))
            if count >= 0 { return count }
            if errno != EINTR { return -Int(errno) }
        }
    }

    /// Waits until there is something to read, the end included; false when the time is over.
    static func waitToReceive(_ socket: Int32, until deadline: MonotonicTime) -> Bool {
        wait(socket, for: POLLIN, until: deadline)
    }

    private static func waitToSend(_ socket: Int32, until deadline: MonotonicTime) -> Bool {
        wait(socket, for: POLLOUT, until: deadline)
    }

    private static func wait(_ socket: Int32, for event: Int32, until deadline: MonotonicTime) -> Bool {
        var request = pollfd(fd: socket, events: Int16(event), revents: 0)
        while true {
            let left = deadline.millisecondsLeft
            if left == 0 { return false }
            if poll(&request, 1, left) > 0 { return true }
        }
    }

    /// Writes all of both parts, in one call where the socket takes them.
    ///
    /// - Parameter patience: how long the other side may take to read anything at all; 0 to write only what fits.
    /// - Returns: 0, or the negated `errno`; `-EAGAIN` when patience was at its end.
    static func send(
        _ socket: Int32, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, patience: Duration
    ) -> Int {
        var sent = 0
        while sent < first.count + second.count {
            let restOfFirst = first.dropFirst(sent), restOfSecond = second.dropFirst(max(sent - first.count, 0))
            let count = withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { parts in
                parts[0] = iovec(UnsafeRawBufferPointer(rebasing: restOfFirst))
                parts[1] = iovec(UnsafeRawBufferPointer(rebasing: restOfSecond))
                var message = msghdr()
                message.msg_iov = parts.baseAddress
                message.msg_iovlen = 2
                let count = sendmsg(socket, &message, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                return count < 0 ? -Int(errno) : count
            }
            if count >= 0 {
                sent += count
            } else if count == -Int(EAGAIN) {
                guard waitToSend(socket, until: .now + patience) else { return count }
            } else if count != -Int(EINTR) {
                return count
            }
        }
        return 0
    }

    /// Bytes that have arrived and that nobody has read.
    static func unreadBytes(_ socket: Int32) -> Int {
        var count: Int32 = 0
        return withUnsafeMutablePointer(to: &count) { ioctl(socket, UInt(FIONREAD), UnsafeMutableRawPointer($0)) } == 0
            ? Int(count) : 0
    }

    /// Keeps the descriptor from programs that this one starts.
    static func closeOnExec(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    static func setOption(_ socket: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(socket, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// How long a read that waits does so.
    static func setReceiveTimeout(_ socket: Int32, _ duration: Duration) {
        let (seconds, microseconds) = duration.asTimeval
        var time = timeval(tv_sec: seconds, tv_usec: microseconds)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }
}

extension iovec {
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }
}
