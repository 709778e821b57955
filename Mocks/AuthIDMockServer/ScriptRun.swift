import ArgumentParser
import AuthIDMock
import Foundation
import MockPrograms

/// A script that is played to its end, and the command that is tested with it.
struct ScriptRun: Sendable {
    /// The exit codes that say why a script was not played to its end.
    ///
    /// A command that fails gives the run its own code.
    enum Failure: Int32, Sendable {
        case timeout = 5
        /// The mock was stopped, or the command ended, before the script was over.
        case unfinished = 6
    }

    let plan: MockPlan
    /// The time after which an unfinished run is stopped; `nil` for none.
    let limit: Duration?
    /// The command and its arguments; empty for none.
    let command: [String]

    /// The variable in which the command finds the mock's address.
    static let address = "AUTHID_MOCK_URL"
    /// The time that a command has to end once it was asked to.
    private static let grace: Duration = .seconds(5)

    private enum Event: Sendable {
        case served, timeIsUp, graceIsOver
        case commandEnded(Int32)
    }

    /// The parts of a run that are over.
    private struct Ending {
        var isServed = false
        var isCommandOver: Bool
        var code: Int32 = 0
        var hasTimedOut = false
        var isServerAsked = false
        var isCommandAsked = false

        var isWhole: Bool { isServed && isCommandOver }

        mutating func take(_ event: Event) {
            switch event {
            case .served: isServed = true
            case .timeIsUp: hasTimedOut = true
            case .commandEnded(let ended): (isCommandOver, code) = (true, ended)
            case .graceIsOver: break
            }
        }
    }

    /// Serves, plays, and runs the command.
    ///
    /// - Throws: `ExitCode` unless the script was played to its end and the command succeeded.
    func run(on options: ServeOptions) async throws {
        let progress = ScriptProgress(of: plan.timeline.steps.count)
        let (listening, announce) = AsyncStream.makeStream(of: String.self)
        let child = command.isEmpty ? nil : ChildProcess(command)
        var ending = Ending(isCommandOver: child == nil)
        try await withThrowingTaskGroup(of: Event.self) { group in
            group.addTask { [isAlone = child == nil] in
                try await options.serve(plan) { note in
                    MockConsole.authID.say(Play.line(note))
                    progress.take(note)
                    if note.isLast, isAlone { Self.stopServing() }
                } onListening: { url in
                    announce.yield(url)
                    announce.finish()
                }
                return .served
            }
            if let limit {
                group.addTask {
                    try await Task.sleep(for: limit)
                    return .timeIsUp
                }
            }
            if let child {
                group.addTask {
                    guard let url = await listening.first(where: { _ in true }) else { return .commandEnded(0) }
                    return .commandEnded(try await child.run([Self.address: url]))
                }
            }
            while !ending.isWhole, let event = try await group.next() {
                ending.take(event)
                if case .graceIsOver = event { child?.destroy() }
                // Whichever part ends first, the other one ends with it.
                if !ending.isServed, !ending.isServerAsked {
                    ending.isServerAsked = true
                    Self.stopServing()
                }
                if !ending.isCommandOver, !ending.isCommandAsked {
                    ending.isCommandAsked = true
                    child?.terminate()
                    group.addTask {
                        try await Task.sleep(for: Self.grace)
                        return .graceIsOver
                    }
                }
            }
            group.cancelAll()
        }
        try judge(progress, ending)
    }

    private func judge(_ progress: ScriptProgress, _ ending: Ending) throws {
        let console = MockConsole.authID
        if ending.hasTimedOut {
            console.complain("The script was not over in time: \(progress.text).")
            throw ExitCode(Failure.timeout.rawValue)
        }
        guard ending.code == 0 else {
            console.complain("The command ended with \(ending.code), and the script was at \(progress.text).")
            throw ExitCode(ending.code)
        }
        guard progress.isOver else {
            let who = command.isEmpty ? "The mock was stopped" : "The command ended"
            console.complain("\(who) before the script was over: \(progress.text).")
            throw ExitCode(Failure.unfinished.rawValue)
        }
    }

    /// The same as Ctrl-C: requests in progress are answered first.
    static func stopServing() { _ = kill(getpid(), SIGTERM) }
}
