internal import Foundation
internal import Gzip

/// Compressing lines as the archive does, against `gzip`.
enum CompressionPath {
    static func measure(requests: Int, rounds: Int, into table: inout ResultTable) throws {
        var log = SampleLog()
        var groups: [[UInt8]] = []
        for start in stride(from: 0, to: requests, by: 16) {
            var lines: [UInt8] = []
            for _ in start..<min(start + 16, requests) { _ = try log.appendLines(to: &lines) }
            groups.append(lines)
        }
        let plays = Double(log.plays)
        let ours = LineCompressor()
        let zlib = GzipCompressor(level: 1)
        var size = 0
        let times = try Rounds(
            rounds,
            [
                {
                    size = 0
                    for group in groups {
                        ours.begin(expecting: group.count)
                        ours.append(group.span.bytes)
                        size += ours.finish().count
                    }
                },
                {
                    for group in groups {
                        zlib.begin(expecting: group.count)
                        zlib.append(group.span.bytes)
                        _ = zlib.finish()
                    }
                },
            ])
        let whole = Data(groups.joined())
        let file = NSTemporaryDirectory() + "qoe-lines-\(ProcessInfo.processInfo.processIdentifier)"
        try whole.write(to: URL(fileURLWithPath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let best = try Double(gzip(level: 6, file)) / plays
        let mine = Double(size) / plays
        table.add(
            "compressing a line",
            "\(figure(times.median(0) / plays * 1e9)) ns (zlib's level 1: \(figure(times.ratio(1, to: 0))) × that) to"
                + " \(figure(mine)) bytes", mine,
            atMost: 80, "≤ 80 bytes a play")
        table.add(
            "against gzip -6 on the same lines",
            "\(figure(mine / best)) × its \(figure(best)) bytes (gzip -1:"
                + " \(figure(try Double(gzip(level: 1, file)) / plays)))", mine / best, atMost: 1.25, "≤ 1.25 × gzip -6"
        )
    }

    /// The bytes that the program `gzip` makes of a file.
    private static func gzip(level: Int, _ file: String) throws -> Int {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-\(level)", "--stdout", file]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        var count = 0
        while true {
            let data = pipe.fileHandleForReading.availableData
            if data.isEmpty { break }
            count += data.count
        }
        process.waitUntilExit()
        return count
    }
}
