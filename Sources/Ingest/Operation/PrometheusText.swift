/// Prometheus' text exposition format, version 0.0.4.
package struct PrometheusText {
    package private(set) var text = ""

    package init() {}

    package mutating func counter(_ name: String, _ help: String, _ value: Int) {
        header(name, help, "counter")
        text += "\(name) \(value)\n"
    }

    package mutating func counter(_ name: String, _ help: String, _ value: Double) {
        header(name, help, "counter")
        text += "\(name) \(value)\n"
    }

    /// A counter with one label; label values are words of the program or of its configuration, never a client's.
    package mutating func counter(_ name: String, _ help: String, label: String, _ values: [(String, Int)]) {
        header(name, help, "counter")
        add(name, label, values)
    }

    package mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        header(name, help, "gauge")
        text += "\(name) \(value)\n"
    }

    /// A gauge with one label; label values are words of the program or of its configuration, never a client's.
    package mutating func gauge(_ name: String, _ help: String, label: String, _ values: [(String, Int)]) {
        header(name, help, "gauge")
        add(name, label, values)
    }

    package mutating func gauge(_ name: String, _ help: String, _ value: Double) {
        header(name, help, "gauge")
        text += "\(name) \(value)\n"
    }

    /// - Parameter buckets: upper bounds, rising, each with the number of observations at or below it (cumulative).
    package mutating func histogram(
        _ name: String, _ help: String, buckets: [(bound: Double, count: Int)], sum: Double, count: Int
    ) {
        header(name, help, "histogram")
        for bucket in buckets { text += "\(name)_bucket{le=\"\(bucket.bound)\"} \(bucket.count)\n" }
        text += "\(name)_bucket{le=\"+Inf\"} \(count)\n\(name)_sum \(sum)\n\(name)_count \(count)\n"
    }

    private mutating func add(_ name: String, _ label: String, _ values: [(String, Int)]) {
        for (word, value) in values { text += "\(name){\(label)=\"\(Self.escaped(word))\"} \(value)\n" }
    }

    private static func escaped(_ word: String) -> String {
        var escaped = ""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\\", "\"": escaped += "\\\(scalar)"
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private mutating func header(_ name: String, _ help: String, _ type: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }
}
