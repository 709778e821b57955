import Foundation
import Glibc
import Synchronization

/// `vestibule serve` on a data folder of its own, and the commands that go with it.
final class Daemon: Sendable {
    let dataFolder: String
    private let settings: [String]
    private let environment: [String: String]
    /// Where it runs, if not beside the tests.
    private let host: HostNetwork.Host?
    private let state: Mutex<State>

    private struct State {
        var program: RunningProgram?
        var port = 0
        var scheme = "http"
    }

    /// `settings`: `key=value` each; `environment`: more variables of the running daemon; `host`: where it runs, if not
    /// beside the tests.
    init(
        dataFolder: String,
        settings: [String],
        environment: [String: String] = [:],
        host: HostNetwork.Host? = nil
    ) {
        self.dataFolder = dataFolder
        self.settings = settings
        self.environment = environment
        self.host = host
        // Nobody else listens on a host of its own.
        state = Mutex(State(port: host == nil ? 0 : 8080))
    }

    /// Another daemon on the same folder and port, with further settings, for after this one has ended.
    func successor(_ further: [String], environment: [String: String] = [:]) -> Daemon {
        let successor = Daemon(
            dataFolder: dataFolder,
            settings: settings + further,
            environment: environment,
            host: host
        )
        let (port, scheme) = (port, state.withLock(\.scheme))
        successor.state.withLock { ($0.port, $0.scheme) = (port, scheme) }
        return successor
    }

    var program: RunningProgram? { state.withLock(\.program) }
    var port: Int { state.withLock(\.port) }
    var url: String { state.withLock { "\($0.scheme)://\(host?.address ?? "127.0.0.1"):\($0.port)" } }
    var database: Database { Database(path: "\(dataFolder)/vestibule.sqlite") }
    var adminSocket: String { "\(dataFolder)/vestibule.sock" }

    /// The arguments that make a command this daemon's.
    var options: [String] { ["--data", dataFolder] + settings.flatMap { ["--set", $0] } }

    /// Starts it, the first time on a port that it picks, later on the same one.
    func start() async throws {
        let port = state.withLock(\.port)
        let serve = [Programs.daemon, "serve"] + options + ["--set", "listen.port=\(port)"]
        let command = (host?.entry ?? []) + serve
        let (program, line) = try await RunningProgram.listening(
            command[0],
            Array(command.dropFirst()),
            environment: environment,
            line: "vestibule listening on "
        )
        state.withLock { $0.program = program }
        // vestibule listening on http://127.0.0.1:40001 (http://localhost:40001)
        let words = line.split(separator: " ")
        guard words.count > 3, let url = URL(string: String(words[3])), let bound = url.port, let scheme = url.scheme
        else { throw program.disappointment("named no port") }
        state.withLock { ($0.port, $0.scheme) = (bound, scheme) }
    }

    /// Ends it as a power cut of the process would: SIGKILL.
    func destroy() async { await program?.destroy() }

    /// Asks it to stop and waits until it has.
    func stop(_ signal: Int32 = SIGTERM, within limit: Duration = .seconds(60)) async throws -> RunningProgram.End {
        guard let program else { throw ExpectationError("the daemon was not started") }
        program.send(signal: signal)
        return try await program.ended(within: limit)
    }

    /// Kills it and starts it again.
    func restart() async throws {
        await destroy()
        try await start()
    }

    /// Runs a command on this daemon's folder, whether the daemon runs or not.
    func command(_ words: String..., input: String = "") async throws -> CommandRun {
        try await CommandRun.run(Programs.daemon, words + options, input: input)
    }

    /// The same for a command that has to work.
    @discardableResult
    func order(_ words: [String], input: String = "") async throws -> CommandRun {
        let run = try await CommandRun.run(Programs.daemon, words + options, input: input)
        guard run.code == 0 else { throw ExpectationError("\(run)") }
        return run
    }

    /// Adds people who have a face at the provider.
    func addPeople(_ emails: [String]) async throws {
        guard !emails.isEmpty else { return }
        let lines = emails.map { "\($0),\($0.prefix { $0 != "@" }),mock" }
        let csv = "email,name,provider\n" + lines.joined(separator: "\n") + "\n"
        try await order(["accounts", "import", "-"], input: csv)
    }
}
