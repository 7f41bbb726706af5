import Foundation

/// A file of a fixed size that is mapped into memory, so that what is stored there survives the process without a system
/// call. It is locked as long as the object lives: the system lets go of the lock when the process is killed.
///
/// Not checked: nothing of it ever changes but the bytes, and whoever reads and writes those does so under the queue's lock.
final class MappedFile: @unchecked Sendable {
    /// When the system lets the file be read on Apple's systems.
    enum Protection {
        /// Always: a page of it may be needed while the device is locked.
        case none
        /// From the first unlock after the device was started.
        case untilFirstUnlock
    }

    /// The bytes, `size` of them.
    let bytes: UnsafeMutableRawPointer
    let size: Int
    private let path: String
    private let descriptor: Int32

    /// Opens a file, and fills it up with zeros to its size: a mapped page without a place on the disk would end the process
    /// on a full one.
    ///
    /// - Returns: `nil` when there is no such file to be had, or somebody else has it. One that can't be filled up is removed.
    init?(_ url: URL, size: Int, creates: Bool, protection: Protection) {
        path = url.path
        self.size = size
        descriptor = open(path, O_RDWR | O_CLOEXEC | (creates ? O_CREAT : 0), 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        guard Self.fill(descriptor, to: size) else {
            // A file that is too short is of no use to anybody, and the disk is full.
            unlink(path)
            close(descriptor)
            return nil
        }
        Self.protect(path, protection)
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let mapped, mapped != MAP_FAILED else {
            close(descriptor)
            return nil
        }
        bytes = mapped
    }

    deinit {
        munmap(bytes, size)
        close(descriptor)
    }

    /// Brings what was stored to the disk: until then a loss of power takes it.
    func synchronize() {
        msync(bytes, size, MS_SYNC)
    }

    /// Takes the file away; the memory stays until the object goes.
    func remove() {
        unlink(path)
    }

    func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value {
        bytes.loadUnaligned(fromByteOffset: offset, as: type)
    }

    func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
        bytes.storeBytes(of: value, toByteOffset: offset, as: Value.self)
    }

    private static func fill(_ descriptor: Int32, to size: Int) -> Bool {
        // Not `fstat`: on Apple's systems its use has to be declared.
        var end = Int(lseek(descriptor, 0, SEEK_END))
        guard end >= 0 else { return false }
        let zeros = [UInt8](repeating: 0, count: min(max(size - end, 0), 65_536))
        while end < size {
            let written = write(descriptor, zeros, min(zeros.count, size - end))
            guard written > 0 else { return false }
            end += written
        }
        return true
    }

    private static func protect(_ path: String, _ protection: Protection) {
        #if os(iOS) || os(tvOS) || os(visionOS) || os(watchOS)
            let type: FileProtectionType =
                switch protection {
                case .none: .none
                case .untilFirstUnlock: .completeUntilFirstUserAuthentication
                }
            try? FileManager.default.setAttributes([.protectionKey: type], ofItemAtPath: path)
        #endif
    }
}
