import Admin
import ArgumentParser
import Assembly
import Glibc
import Storage
import Tokens

/// Ends a command with a sentence on standard error and a code of sysexits.h.
struct ExitError: Error {
    let code: Int32
    let message: String

    /// Refused: the order itself can't be carried out.
    static func refused(_ message: String) -> ExitError { ExitError(code: 1, message: message) }
    /// `EX_USAGE`: the command line itself, as where the parser refuses it.
    static func usage(_ message: String) -> ExitError { ExitError(code: 64, message: message) }
    /// `EX_UNAVAILABLE`.
    static func unavailable(_ message: String) -> ExitError { ExitError(code: 69, message: message) }
    /// `EX_CANTCREAT`: a file that would be made exists, and was left alone.
    static func exists(_ message: String) -> ExitError { ExitError(code: 73, message: message) }
    /// `EX_IOERR`.
    static func storage(_ message: String) -> ExitError { ExitError(code: 74, message: message) }

    /// `EX_CONFIG`: what is configured can't be.
    static func config(_ message: String) -> ExitError { ExitError(code: 78, message: message) }

    /// Runs a command's body and turns what it throws into its exit.
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
    /// The exit of a command that ends with `error`; `nil` for a fault of the program.
    init?(_ error: any Error) {
        switch error {
        case let exit as ExitError: self = exit
        case let error as AdminError: self = .refused(error.message)
        case CommandInputError.refused(let message): self = .refused(message)
        case CommandInputError.unreadable(let message): self = .storage(message)
        case let fault as StoreOpenError: self = .storage(fault.message)
        case let fault as UnusableFilesError: self = .storage(fault.message)
        case let fault as KeyError: self = .storage("\(fault)")
        case let fault as DataFolder.FolderError: self = .storage("\(fault)")
        default: return nil
        }
    }
}

/// Standard error, a line at a time.
enum StandardError {
    static func print(_ line: String) { write(line + "\n") }

    /// Text that an answer is typed behind.
    static func prompt(_ text: String) { write(text + " ") }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Standard output, for lines that a waiting script reads at once.
enum StandardOutput {
    static func print(_ line: String, terminator: String = "\n") {
        let bytes = Array((line + terminator).utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
