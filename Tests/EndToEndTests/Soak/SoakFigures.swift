import TestSupport

/// What must not grow with time.
struct SoakFigures: CustomStringConvertible {
    /// Bytes.
    var resident: Int
    var threads: Int
    var descriptors: Int

    init(_ server: ServerProcess) throws {
        resident = server.residentBytes
        threads = server.threads
        descriptors = server.descriptors
    }

    /// The largest of each in the second quarter of the time, when all caches are full, and in the last.
    static func earlyAndLate(_ figures: [SoakFigures]) -> (early: SoakFigures, late: SoakFigures) {
        let quarter = figures.count / 4
        return (largest(figures[quarter..<max(quarter * 2, quarter + 1)]), largest(figures[(quarter * 3)...]))
    }

    private static func largest(_ figures: ArraySlice<SoakFigures>) -> SoakFigures {
        figures.dropFirst().reduce(figures[figures.startIndex]) { most, next in
            var most = most
            most.resident = max(most.resident, next.resident)
            most.threads = max(most.threads, next.threads)
            most.descriptors = max(most.descriptors, next.descriptors)
            return most
        }
    }

    var description: String {
        "\(resident >> 20) MiB, \(threads) threads, \(descriptors) descriptors"
    }
}
