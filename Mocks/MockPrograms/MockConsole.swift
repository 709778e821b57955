import Foundation
package import Logging

/// The two streams of a mock's program, unbuffered: whoever reads a pipe sees each line at once.
package struct MockConsole: Sendable {
    private let program: String

    package init(_ program: String) { self.program = program }

    package func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    package func complain(_ line: String) {
        FileHandle.standardError.write(Data(("\(program): " + line + "\n").utf8))
    }

    /// Warnings and what is worse.
    package var logger: Logger {
        var logger = Logger(label: program, factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .warning
        return logger
    }
}
