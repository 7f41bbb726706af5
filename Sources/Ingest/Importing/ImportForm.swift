internal import PlaybackEvents

/// Tells the two forms of an import apart, and what is wrong with one that is neither.
enum ImportForm {
    /// Whether a file that is no single body is meant as one a line: its first line is JSON by itself, or any of its lines
    /// is a request.
    ///
    /// - Complexity: O(n).
    static func isOneALine(_ file: [UInt8]) -> Bool {
        let lines = file.split(separator: 0x0A).filter { !isBlank($0) }
        guard let first = lines.first else { return true }
        return fault(of: Array(first))?.code != .invalidJSON || lines.contains { isRequest(Array($0)) }
    }

    static func isBlank(_ line: some Sequence<UInt8>) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
    }

    /// What is wrong with a text that ``ImportLine`` does not take.
    static func reason(against text: [UInt8]) -> String {
        if let fault = fault(of: text), fault.code == .invalidJSON { return fault.words }
        do throws(LineFault) {
            _ = try ImportLine.parse(text)
            return ""
        } catch {
            return error.reason
        }
    }

    /// What is wrong with a body, in words that help somebody who has plays in another form.
    static func words(for fault: RequestFault, against body: [UInt8]) -> String {
        let wrapped = Array(#"{"events":["#.utf8) + body + Array("]}".utf8)
        guard fault.code != .invalidJSON, self.fault(of: wrapped) == nil, isEvent(body) else { return fault.words }
        return #"it is an event by itself: a request has its events in a list, {"events": [EVENT, …]}"#
    }

    /// Whether it has what every event must have, good or not.
    private static func isEvent(_ body: [UInt8]) -> Bool {
        String(decoding: body, as: UTF8.self).contains(/"videoId"\s*:/)
    }

    private static func isRequest(_ text: [UInt8]) -> Bool {
        guard let line = try? ImportLine.parse(text) else { return false }
        return fault(of: Array(text[line.body])) == nil
    }

    private static func fault(of body: [UInt8]) -> RequestFault? {
        do throws(RequestFault) {
            _ = try RequestDecoder.decode(body, receipt: Receipt(receivedAt: 0, requestId: .random()))
            return nil
        } catch {
            return error
        }
    }
}

extension RequestFault {
    /// Code and message, for people.
    var words: String { "\(code.rawValue): \(message)" }
}
