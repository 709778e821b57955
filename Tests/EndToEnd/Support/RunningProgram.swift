import Foundation
import Glibc
import Subprocess
import Synchronization

/// A program that was started and runs until it ends by itself or is stopped.
final class RunningProgram: Sendable {
    let name: String
    let log: OutputLog
    let processID: pid_t
    private let report: Report
    private let task: Task<Void, Never>

    /// How a program ended.
    enum End: Equatable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// The event that a test waited for in vain, with the program's output.
    struct ProgramError: Error, CustomStringConvertible {
        let program: String
        let complaint: String
        let log: String

        var description: String { "\(program) \(complaint)\n\(log)" }
    }

    private struct Ending: Sendable {
        var end: End?
        var fault: String?
    }

    private final class Report: Sendable {
        let ending = Mutex(Ending())
    }

    /// Starts the program of that name from the folder of those under test, or else from the search path.
    static func start(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> RunningProgram {
        let (started, announce) = AsyncStream.makeStream(of: pid_t.self)
        let log = OutputLog()
        let report = Report()
        let variables = try Programs.environment(environment)
        // A preloaded library that sets a variable moves the environment, above which Swift looks for the arguments.
        // `env` starts the program again, with both in their usual place and under the same process id.
        let isPreloaded = variables["LD_PRELOAD"] != nil
        let task = Task {
            do {
                let result = try await Subprocess.run(
                    .name(isPreloaded ? "env" : name),
                    arguments: Arguments((isPreloaded ? [name] : []) + arguments),
                    environment: .clean(variables),
                    input: .none,
                    output: .sequence,
                    error: .sequence
                ) { execution in
                    announce.yield(execution.processIdentifier.value)
                    announce.finish()
                    let (output, error) = (execution.standardOutput, execution.standardError)
                    async let errorIsRead: Void = Self.read(error, into: log, .error)
                    try await Self.read(output, into: log, .output)
                    try await errorIsRead
                }
                report.ending.withLock { $0.end = End(result.terminationStatus) }
            } catch {
                announce.finish()
                report.ending.withLock { $0.fault = "\(error)" }
            }
        }
        // A test that is ended meanwhile gets its program too, to end it: a stream tells nothing to a canceled task.
        let announced = Task { await started.first { _ in true } }
        let processID = await announced.value
        guard let processID else {
            await task.value
            let cause = report.ending.withLock { $0.fault } ?? "no cause is known"
            throw ProgramError(program: name, complaint: "could not be started: \(cause)", log: log.tail())
        }
        return RunningProgram(name, log, processID, report, task)
    }

    /// The same, until it has printed the line that says where it listens.
    ///
    /// On a port that it had before another test's server may listen by now, as long as that test takes.
    static func listening(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        line prefix: String
    ) async throws -> (program: RunningProgram, line: String) {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let program = try await start(name, arguments, environment: environment)
            do { return (program, try await program.line(beginning: prefix)) } catch {
                await program.destroy()
                let isTaken = (error as? ProgramError)?.log.contains(" is taken") ?? false
                guard isTaken, ContinuousClock.now < end else { throw error }
            }
            try await ContinuousClock().sleep(for: .milliseconds(250))
        }
    }

    private init(_ name: String, _ log: OutputLog, _ processID: pid_t, _ report: Report, _ task: Task<Void, Never>) {
        self.name = name
        self.log = log
        self.processID = processID
        self.report = report
        self.task = task
    }

    /// How it ended; `nil` while it runs.
    var end: End? { report.ending.withLock { $0.end } }

    private var isOver: Bool { report.ending.withLock { $0.end != nil || $0.fault != nil } }

    func send(signal: Int32) {
        guard !isOver else { return }
        Glibc.kill(processID, signal)
    }

    /// Waits until it has printed a line that begins so.
    func line(beginning prefix: String, within limit: Duration = .seconds(60)) async throws -> String {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while true {
            // Looked at before the log: what a program prints last must not be missed.
            let wasOver = isOver
            if let line = log.line(beginning: prefix) { return line }
            if wasOver { throw disappointment("ended without the line “\(prefix)…”: \(endText)") }
            guard clock.now < deadline else { throw disappointment("did not print “\(prefix)…” within \(limit)") }
            try await clock.sleep(for: .milliseconds(5))
        }
    }

    /// Waits until it has ended by itself, or by a signal that was sent before.
    @discardableResult
    func ended(within limit: Duration) async throws -> End {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while clock.now < deadline {
            if let end { return end }
            if isOver { throw disappointment("was lost: \(endText)") }
            try await clock.sleep(for: .milliseconds(5))
        }
        throw disappointment("had not ended after \(limit)")
    }

    /// Ends it at once, whatever it does, and waits until it is gone.
    func destroy() async {
        send(signal: SIGCONT)
        send(signal: SIGKILL)
        await task.value
    }

    func disappointment(_ complaint: String) -> ProgramError {
        ProgramError(program: name, complaint: complaint, log: log.tail())
    }

    private var endText: String {
        report.ending.withLock { ending in ending.fault ?? ending.end.map { "\($0)" } ?? "running" }
    }

    private static func read(
        _ sequence: SubprocessOutputSequence,
        into log: OutputLog,
        _ stream: OutputLog.Stream
    )
        async throws
    {
        for try await buffer in sequence { log.append(buffer.withUnsafeBytes { Array($0) }, to: stream) }
    }
}

extension RunningProgram.End {
    init(_ status: TerminationStatus) {
        self =
            switch status {
            case .exited(let code): .exited(code)
            case .signaled(let signal): .killed(signal: signal)
            }
    }
}

extension Environment {
    /// These variables alone.
    static func clean(_ variables: [String: String]) -> Environment {
        .custom(variables.map { Array("\($0)=\($1)\0".utf8) })
    }
}
