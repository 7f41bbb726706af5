internal import Foundation

/// What the columns of an export's files hold, as a Data Package (datapackage.org) tells it to tools that read CSV.
struct DataPackage: Encodable {
    private struct Resource: Encodable {
        var name: String
        var path: String
        let profile = "tabular-data-resource"
        let format = "csv"
        let mediatype = "text/csv"
        let encoding = "utf-8"
        let dialect = ["lineTerminator": "\r\n"]
        var schema: Schema
    }

    private struct Schema: Encodable {
        var fields: [Field]
        let missingValues = [""]
    }

    private struct Field: Encodable {
        var name: String
        var type: String
        var description: String
    }

    private let profile = "tabular-data-package"
    private let name = "qoe-export"
    private let definitions = definitionsVersion
    private var resources: [Resource]

    /// - Parameter tables: their columns alone are told.
    init(_ tables: [ReportTable]) {
        resources = tables.map { table in
            let fields = table.columns.map { column in
                Field(name: column.name, type: column.kind.type, description: column.kind.meaning)
            }
            return Resource(name: table.name, path: "\(table.name).csv", schema: Schema(fields: fields))
        }
    }

    /// - Throws: never for what is told here; the encoder may.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}

extension ColumnKind {
    fileprivate var type: String {
        switch self {
        case .period, .name, .text: "string"
        case .count, .milliseconds, .bytes, .bitsPerSecond, .version: "integer"
        case .ratio, .perHour: "number"
        }
    }

    fileprivate var meaning: String {
        switch self {
        case .period: "The day, or the first and the last day of a range"
        case .name: "What the plays of the row share; (all) for all plays of the period"
        case .text: "A word that tells rows apart"
        case .count: "A number of things"
        case .milliseconds: "Milliseconds"
        case .ratio: "A share or a ratio: 0.01 is 1 %"
        case .perHour: "A number per hour watched"
        case .bytes: "Bytes"
        case .bitsPerSecond: "Bits per second"
        case .version: "The version of the definitions"
        }
    }
}
