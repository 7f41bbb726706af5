import Archive
import Glibc

/// A file of the log with any bytes: reading comes to an end, in order, and what is damaged lies within the file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSegments(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    log.write(UnsafeRawBufferPointer(start: start, count: count))
    let lines = read(chunkBytes: 1, upTo: nil)
    check(lines == read(chunkBytes: 1 << 20, upTo: nil), "what is read depends on how much at a time")
    let settled = read(chunkBytes: 1, upTo: LogPosition(segment: 1, offset: Int64(count)))
    check(settled.starts(with: lines), "less is read of what is durable")
    guard let report = try? ArchiveVerifier(DataPaths(log.root)).verify() else { fatalError("the verifier can't read") }
    check(report.plays.lineBytes == Int64(settled.count), "the verifier reads other lines")
    for case .damage(let damage) in report.findings {
        check(damage.range.lowerBound >= 0 && damage.range.upperBound <= Int64(count), "damage beyond the file")
        check(!damage.range.isEmpty, "damage of nothing")
    }
    return 0
}

private func read(chunkBytes: Int, upTo end: LogPosition?) -> [UInt8] {
    let reader = LogReader(directory: log.root + "/archive")
    var position = LogPosition.beginning
    var lines: [UInt8] = []
    while true {
        guard let next = try? reader.next(after: position, upTo: end, maxBytes: chunkBytes) else { return lines }
        check(next.end > position && next.end >= next.start, "reading does not go on")
        for damage in next.damage { check(damage.range.upperBound <= next.end.offset, "damage beyond the place") }
        lines += next.lines
        position = next.end
    }
}

/// The one file of a log, in memory where the system allows it.
private struct Log {
    let root: String
    private let file: String

    init() {
        let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        root = "\(base)/qoe-fuzz-\(getpid())"
        let folder = root + "/archive/day=2026-11-29"
        for path in [root, root + "/archive", root + "/rejected", root + "/damaged", folder] { mkdir(path, 0o700) }
        file = folder + "/plays-main-0000000001.ndjson.gz"
        atexit {
            for path in [log.file, log.root + "/archive/day=2026-11-29"] { remove(path) }
            for name in ["archive", "rejected", "damaged"] { rmdir(log.root + "/" + name) }
            rmdir(log.root)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        check(descriptor >= 0, "no file")
        check(Glibc.write(descriptor, bytes.baseAddress, bytes.count) == bytes.count, "no room")
        close(descriptor)
    }
}

private let log = Log()
