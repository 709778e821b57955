import Foundation

/// The command that is tested against the mock, with the streams and the environment of this program.
final class ChildProcess: Sendable {
    private let process: Process

    /// - Parameter command: The command, which is looked for as a shell does, and its arguments.
    init(_ command: [String]) {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
    }

    /// Runs it with further variables, and returns its exit code, as shells tell it.
    func run(_ variables: [String: String]) async throws -> Int32 {
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let (ended, announce) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            let isKilled = process.terminationReason == .uncaughtSignal
            announce.yield(isKilled ? 128 + process.terminationStatus : process.terminationStatus)
            announce.finish()
        }
        try start()
        return await ended.first { _ in true } ?? 1
    }

    /// Starts it with the usual handling of signals.
    ///
    /// A command inherits what this thread blocks and what the mock's server ignores (POSIX, exec). It would not end
    /// when it is asked to.
    private func start() throws {
        let signals = [SIGTERM, SIGINT]
        var (unblocked, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&unblocked)
        for number in signals { sigaddset(&unblocked, number) }
        let earlier = signals.map { signal($0, SIG_DFL) }
        pthread_sigmask(SIG_UNBLOCK, &unblocked, &blocked)
        defer {
            pthread_sigmask(SIG_SETMASK, &blocked, nil)
            for (number, handling) in zip(signals, earlier) { signal(number, handling) }
        }
        try process.run()
    }

    /// Asks it to end.
    func terminate() {
        if process.isRunning { process.terminate() }
    }

    /// Ends it at once.
    func destroy() {
        if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) }
    }
}
