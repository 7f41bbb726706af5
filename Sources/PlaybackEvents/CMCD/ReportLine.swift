/// A line of the log of reports: one request of a player that speaks CMCD, or a tick, which only says what time it is.
package struct ReportLine: Sendable, Equatable {
    /// When it was received, ms since 1970.
    package var receivedAt: Int64
    package var requestId: Identifier128
    /// The name of the write key with which it came; empty where the server has none. Never the key itself.
    package var keyName: [UInt8] = []
    package var context = ReportContext()
    /// Empty in a tick.
    package var reports: [CMCDReport] = []

    package init(receivedAt: Int64, requestId: Identifier128) {
        self.receivedAt = receivedAt
        self.requestId = requestId
    }

    /// Appends the line, ended by LF. What ``parse(_:)`` reads of it is equal to this.
    package func append(to lines: inout [UInt8]) {
        let texts =
            keyName.count + context.cdn.count + context.cdnRegion.count + context.network.count + context.source.count
            + context.appVersion.count + context.player.count
        lines.append(UInt8(ascii: "{"))
        if !reports.isEmpty {
            lines += Array("\"reports\":[".utf8)
            for (index, report) in reports.enumerated() {
                if index > 0 { lines.append(UInt8(ascii: ",")) }
                Self.append(report, to: &lines)
            }
            lines += Array("],".utf8)
        }
        lines.append(atMost: 512 + LineWriter.longest(text: texts) + context.tags.count) { line in
            putContext(in: &line)
            line.put("\"receivedAt\":")
            line.put(receivedAt)
            line.put(",\"requestId\":\"")
            line.put(hexadecimal: requestId)
            line.put("\"}\n")
        }
    }

    private func putContext(in line: inout LineWriter) {
        func put(_ name: StaticString, _ text: [UInt8]) {
            if text.isEmpty { return }
            line.put(name)
            line.put(text: text.span.bytes)
            line.put(",")
        }
        put("\"cdn\":", context.cdn)
        put("\"cdnRegion\":", context.cdnRegion)
        put("\"network\":", context.network)
        put("\"source\":", context.source)
        put("\"appVersion\":", context.appVersion)
        put("\"player\":", context.player)
        if !context.tags.isEmpty {
            line.put("\"tags\":")
            line.put(bytes: context.tags.span.bytes)
            line.put(",")
        }
        if let heartbeat = context.heartbeatMs {
            line.put("\"heartbeatMs\":")
            line.put(heartbeat)
            line.put(",")
        }
        put("\"key\":", keyName)
    }

    private static func append(_ report: CMCDReport, to lines: inout [UInt8]) {
        let texts = report.sid.count + report.cid.count + report.customEvent.count + report.errorCode.count
        lines.append(atMost: 512 + LineWriter.longest(text: texts)) { line in
            func put(_ name: StaticString, _ number: Int64?) {
                guard let number else { return }
                line.put(name)
                line.put(number)
            }
            func put(_ name: StaticString, _ text: [UInt8]) {
                if text.isEmpty { return }
                line.put(name)
                line.put(text: text.span.bytes)
            }
            line.put("{\"ts\":")
            line.put(report.ts)
            put(",\"sn\":", report.sn)
            put(",\"e\":", report.event.bytes)
            put(",\"sta\":", report.state.bytes)
            put(",\"cen\":", report.customEvent)
            put(",\"ec\":", report.errorCode)
            put(",\"bl\":", report.bl)
            put(",\"br\":", report.br)
            put(",\"ab\":", report.ab)
            put(",\"pb\":", report.pb)
            put(",\"msd\":", report.msd)
            put(",\"cid\":", report.cid)
            put(",\"sid\":", report.sid)
            put(",\"v\":", report.version)
            line.put("}")
        }
    }

    /// Reads a line, without its LF.
    ///
    /// - Throws: ``LineError`` for a line that ``append(to:)`` could not have written.
    package static func parse(_ line: RawSpan) throws(LineError) -> ReportLine {
        var reader = ReportLineReader()
        do throws(SyntaxError) {
            try reader.take(line)
        } catch {
            throw LineError(error)
        }
        if let fault = reader.fault { throw fault }
        guard let receivedAt = reader.receivedAt, let requestId = reader.requestId else {
            throw LineError("It lacks receivedAt or requestId.", at: line.byteCount)
        }
        var parsed = ReportLine(receivedAt: receivedAt, requestId: requestId)
        parsed.keyName = reader.keyName
        parsed.context = reader.context
        parsed.reports = reader.reports
        return parsed
    }
}
