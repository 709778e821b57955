import Admin
import ArgumentParser
import Assembly
import Glibc
import Storage
import Tokens

/// Ends a command with a message on standard error and an exit code of sysexits.h.
struct ExitError: Error {
    let code: Int32
    let message: String

    /// The command was refused.
    static func refused(_ message: String) -> ExitError { ExitError(code: 1, message: message) }
    /// `EX_USAGE`: the command line is invalid, as when the parser refuses it.
    static func usage(_ message: String) -> ExitError { ExitError(code: 64, message: message) }
    /// `EX_UNAVAILABLE`.
    static func unavailable(_ message: String) -> ExitError { ExitError(code: 69, message: message) }
    /// `EX_CANTCREAT`: a file to be created already exists, and was not changed.
    static func exists(_ message: String) -> ExitError { ExitError(code: 73, message: message) }
    /// `EX_IOERR`.
    static func storage(_ message: String) -> ExitError { ExitError(code: 74, message: message) }

    /// `EX_CONFIG`: the config is invalid.
    static func config(_ message: String) -> ExitError { ExitError(code: 78, message: message) }

    /// Runs a command's body and converts its error to an exit.
    static func guarding(_ body: () async throws -> Void) async throws {
        do { try await body() } catch {
            guard let exit = ExitError(error) else { throw error }
            throw exit.end()
        }
    }

    private func end() -> ExitCode {
        StandardError.print(message)
        return ExitCode(code)
    }
}

extension ExitError {
    /// Converts the error of a command; `nil` for a fault of the program.
    init?(_ error: any Error) {
        switch error {
        case let exit as ExitError: self = exit
        case let error as AdminError: self = .refused(error.message)
        case CommandInputError.refused(let message): self = .refused(message)
        case CommandInputError.unreadable(let message): self = .storage(message)
        case let fault as StoreOpenError: self = .storage(fault.message)
        case let fault as PostgresOpenError: self = .storage(fault.message)
        case let fault as StorageMoveError: self = fault.isRefusal ? .refused(fault.message) : .storage(fault.message)
        case let fault as UnusableFilesError: self = .storage(fault.message)
        case let fault as KeyError: self = .storage("\(fault)")
        case let fault as DataFolder.FolderError: self = .storage("\(fault)")
        default: return nil
        }
    }
}

/// Writes to standard error, one line at a time.
enum StandardError {
    static func print(_ line: String) { write(line + "\n") }

    /// Writes a prompt, after which the answer is typed.
    static func prompt(_ text: String) { write(text + " ") }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Writes to standard output unbuffered, so that a waiting script reads each line at once.
enum StandardOutput {
    static func print(_ line: String, terminator: String = "\n") {
        let bytes = Array((line + terminator).utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
