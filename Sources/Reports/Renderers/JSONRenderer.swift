internal import Platform

/// Tables as JSON: `{"metric": …, "definitions": 2, "as_of": …, "time_zone": …, "target_ms": …, "where": […], "rows":
/// [{"period": …}]}` with the columns of the CSV.
package enum JSONRenderer {
    /// One table as one line that ends in LF.
    ///
    /// `downloads_left_out` is there when plays were left out because no CDN served them, `notes` when there is something
    /// to know of the figures, `sampled` when sessions were chosen by chance: the plays of each share, or null with more shares
    /// than a report may have groups.
    package static func render(_ table: ReportTable) -> String {
        object(table) + "\n"
    }

    private static func object(_ table: ReportTable) -> String {
        let names = table.columns.map { JSONString.quoted($0.name) }
        let rows = table.rows.map { row in
            "{" + zip(names, row).map { "\($0): \(value($1))" }.joined(separator: ", ") + "}"
        }
        var head = "\"metric\": \(JSONString.quoted(table.name)), \"definitions\": \(definitionsVersion), "
        head += "\"as_of\": \(table.asOf.map(String.init) ?? "null"), "
        if let request = table.request {
            head += "\"time_zone\": \(JSONString.quoted(request.zone.name)), \"target_ms\": \(request.targetMs), "
            let filters = request.filters.map { JSONString.quoted($0.description) }
            head += "\"where\": [\(filters.joined(separator: ", "))], "
        }
        if table.downloads > 0 { head += "\"downloads_left_out\": \(table.downloads), " }
        if !table.notes.isEmpty {
            head += "\"notes\": [\(table.notes.map(JSONString.quoted).joined(separator: ", "))], "
        }
        if table.sampled.isTooMany {
            head += "\"sampled\": null, "
        } else if !table.sampled.shares.isEmpty {
            let shares = table.sampled.shares.map { "\(JSONString.quoted($0.rate)): \($0.plays)" }
            head += "\"sampled\": {\(shares.joined(separator: ", "))}, "
        }
        return "{\(head)\"rows\": [\(rows.joined(separator: ", "))]}"
    }

    static func value(_ cell: ReportCell) -> String {
        if case .text(let text) = cell { return JSONString.quoted(text) }
        return cell.number ?? "null"
    }
}
