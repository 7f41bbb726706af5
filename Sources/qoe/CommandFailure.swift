internal import Archive
internal import ClickHouse
internal import CommandLineTool
import Foundation
internal import Ingest
internal import Platform
internal import PlayStore
internal import PlayStoreClickHouse
internal import Reports
internal import SQLite

/// Puts what can go wrong with a data directory, a server or a store into a line and an exit code.
enum CommandFailure {
    static func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw translation(of: error) ?? error
        }
    }

    private static func translation(of error: any Error) -> CommandError? {
        switch error {
        case let fault as DataDirectoryError:
            if case .busy = fault { return CommandError(.busy, fault.description) }
            return CommandError(.cannotCreate, fault.description)
        case let fault as NextDatabaseError:
            return CommandError(.busy, fault.description)
        case let fault as SQLiteStoreError where fault.isBusy:
            return CommandError(.busy, fault.description)
        case let fault as SQLiteStoreError:
            switch fault {
            case .absent: return CommandError(.noInput, fault.description)
            case .denied: return CommandError(.inputOutput, fault.description)
            case .unreadable(_, let error) where error.isOfDisk:
                return CommandError(.inputOutput, fault.description)
            default: return CommandError(.configuration, fault.description)
            }
        case let fault as ClickHouseStoreError:
            return CommandError(.configuration, fault.description)
        case let fault as ClickHouseError:
            return CommandError(fault.isTransient ? .unavailable : .configuration, fault.description)
        case let fault as IngestServerError:
            if case .listening(_, isInUse: true) = fault { return CommandError(.busy, fault.description) }
            return CommandError(.configuration, fault.description)
        case let fault as FileError:
            return CommandError(.inputOutput, fault.description)
        case let error as ThreadError:
            return CommandError(.inputOutput, error.description)
        case let fault as EraseError:
            return CommandError(.busy, fault.description)
        case let fault as LogEraser.NoRoom:
            return CommandError(.inputOutput, fault.description)
        case let fault as LogEraser.TooLong:
            return CommandError(.inputOutput, fault.description)
        case let fault as CommitError:
            return CommandError(.inputOutput, fault.description)
        case let fault as SQLiteError where fault.isBusy:
            return CommandError(.busy, fault.description)
        case let fault as SQLiteError:
            return CommandError(.inputOutput, fault.description)
        case let fault as ExportError:
            if case .busy = fault { return CommandError(.busy, fault.description) }
            return CommandError(.cannotCreate, fault.description)
        case let error as ReportRequestError:
            return CommandError(.usage, error.description)
        case let error as CocoaError:
            let path = error.filePath ?? error.url?.path ?? "the output"
            return CommandError(.cannotCreate, "can't write \(path): \(reason(error))")
        default: return nil
        }
    }

    /// What the system said.
    private static func reason(_ error: CocoaError) -> String {
        guard let code = (error.underlying as? POSIXError)?.code else { return "\(error)" }
        return String(cString: strerror(code.rawValue))
    }
}
