import Archive
import Glibc
import Synchronization

/// A disk whose calls fail as a test says, and that remembers what was asked of it. It waits for no real disk.
final class ScriptedDisk: Sendable {
    enum Call: String, Sendable {
        case write, syncData, sync, truncate
    }

    enum Failure: Sendable {
        /// The call does nothing and returns this error.
        case error(Int32)
        /// A write takes only so many bytes; the one after it returns the error.
        case short(Int, then: Int32)
        /// The call does its work and returns this error all the same, as a sync may.
        case late(Int32)
    }

    private struct State {
        var counts: [Call: Int] = [:]
        var failures: [Call: [Int: Failure]] = [:]
        var always: [Call: Int32] = [:]
        var calls: [String] = []
    }
    private let state = Mutex(State())

    /// Lets the `number`th call from now (from 1) fail.
    func fail(_ call: Call, _ number: Int = 1, _ failure: Failure) {
        state.withLock { state in
            let number = state.counts[call, default: 0] + number
            state.failures[call, default: [:]][number] = failure
            if case .short(_, let code) = failure { state.failures[call, default: [:]][number + 1] = .error(code) }
        }
    }

    /// Lets every call fail from now on; nil: none.
    func failAlways(_ call: Call, _ code: Int32?) {
        state.withLock { $0.always[call] = code }
    }

    /// The calls so far, each with the name of its file.
    var calls: [String] { state.withLock { $0.calls } }

    func forgetCalls() {
        state.withLock { $0.calls = [] }
    }

    private func failure(of call: Call, _ descriptor: Int32) -> Failure? {
        let name = Self.name(descriptor)
        return state.withLock { state in
            let number = state.counts[call, default: 0] + 1
            state.counts[call] = number
            state.calls.append("\(call.rawValue) \(name)")
            return state.failures[call]?.removeValue(forKey: number) ?? state.always[call].map { .error($0) }
        }
    }

    private func perform(_ call: Call, _ descriptor: Int32, _ work: () -> Int) -> Int {
        switch failure(of: call, descriptor) {
        case nil: return work()
        case .error(let code), .short(_, let code): return -Int(code)
        case .late(let code):
            _ = work()
            return -Int(code)
        }
    }

    var files: FileCalls {
        let system = FileCalls.system
        var files = system
        files.write = { [self] descriptor, bytes, offset in
            switch failure(of: .write, descriptor) {
            case nil: system.write(descriptor, bytes, offset)
            case .short(let count, _):
                system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(count)), offset)
            case .error(let code), .late(let code): -Int(code)
            }
        }
        files.syncData = { [self] descriptor in perform(.syncData, descriptor) { 0 } }
        files.sync = { [self] descriptor in perform(.sync, descriptor) { 0 } }
        files.truncate = { [self] descriptor, length in
            perform(.truncate, descriptor) { system.truncate(descriptor, length) }
        }
        return files
    }

    private static func name(_ descriptor: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { path in
            guard let base = path.baseAddress else { return "" }
            let count = readlink("/proc/self/fd/\(descriptor)", base, path.count)
            let text = String(decoding: UnsafeRawBufferPointer(path)[..<max(0, count)], as: UTF8.self)
            return text.split(separator: "/").last.map(String.init) ?? text
        }
    }
}
