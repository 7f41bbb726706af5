import Foundation

/// Request bodies for tests that need plays and don't mind which.
package enum SampleBatch {
    package static func newId() -> String {
        UUID().uuidString.lowercased()
    }

    /// One good event.
    ///
    /// - Parameter more: further fields, such as `"cdn":"fastly"`.
    package static func event(_ playId: String? = nil, _ more: String = "") -> String {
        let id = playId.map { #""playId":"\#($0)","# } ?? ""
        let rest = more.isEmpty ? "" : "," + more
        return #"{\#(id)"videoId":"v1","startupMs":400,"stalls":0,"stalledMs":0,"watchedMs":20000\#(rest)}"#
    }

    package static func body(_ events: [String], context: String = "{}") -> String {
        #"{"context":\#(context),"events":[\#(events.joined(separator: ","))]}"#
    }

    /// A batch of good events with those play ids.
    package static func body(ids: [String]) -> String {
        body(ids.map { event($0) })
    }
}
