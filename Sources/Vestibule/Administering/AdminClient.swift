import Admin
import Assembly
import Audit
import FoundationEssentials
import Kernel
import Logging
import Settings
import Storage

/// Sends a command's requests to the daemon over its socket.
///
/// While no daemon runs, they are carried out in this process under the lock on the data folder.
///
/// Either way memory never goes stale. For a running daemon only the path of its socket is read from the config: its
/// secrets may be out of this process's reach.
struct AdminClient {
    /// How long a folder that somebody has is waited for, while no daemon listens.
    private static let patience: Duration = .seconds(5)
    private static let pause: Duration = .milliseconds(50)

    let options: SettingsOptions
    let environment: Environment
    var variables = SettingsOptions.ownEnvironment

    /// Sends one command.
    ///
    /// - Throws: `AdminError` where it is refused, ``ExitError`` where nobody answers.
    func send<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply {
        try await use(making: Command.makesDataFolder) { try await $0.execute(command) }
    }

    /// Sends as many commands as `body` likes, all to the same one: a daemon can't be started in between.
    ///
    /// `making`: makes the folder, its keys and its database where they are missing; otherwise that is a fault.
    func use<Value: Sendable>(
        making: Bool,
        _ body: (any CommandExecutor) async throws -> Value
    ) async throws -> Value {
        let address = try options.adminAddress(environment: variables)
        guard making || !DataFolder.isMissing(address.dataFolder) else {
            throw DataFolder.FolderError.missing(path: address.dataFolder)
        }
        var lock: DataLock?
        // A folder that nobody has held has no daemon; it is touched once the whole config holds.
        if DataFolder.mayBeHeld(address.dataFolder) {
            lock = try await hold(address)
            guard lock != nil else { return try await ask(address, body) }
        }
        let settings = try options.load(environment: variables).settings
        guard making || !DataFolder.isMissing(settings.storage.path) else {
            throw DataFolder.FolderError.unused(path: address.dataFolder, database: settings.storage.path)
        }
        if lock == nil { lock = try await hold(address) }
        guard let lock else { return try await ask(address, body) }
        defer { withExtendedLifetime(lock) {} }
        return try await carryOutHere(settings, body)
    }

    /// The daemon's answer; `nil` while none runs.
    func askDaemon<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply? {
        let address = try options.adminAddress(environment: variables)
        guard DataFolder.mayBeHeld(address.dataFolder), try await hold(address) == nil else { return nil }
        return try await ask(address) { try await $0.execute(command) }
    }

    /// The hold on the folder; `nil` while a daemon has it, or somebody for longer than can be waited.
    ///
    /// A command that has it gives it back soon, and a daemon that starts listens soon: both are waited for.
    ///
    /// - Throws: ``ExitError`` when it is free, but a daemon still listens.
    private func hold(_ address: AdminAddress) async throws -> DataLock? {
        let folder = try DataFolder.open(address.dataFolder)
        let socket = SocketFile(path: address.socket)
        let deadline = environment.clock.now + Self.patience
        while true {
            if let lock = try Self.take(folder) {
                try socket.refuseIfListened()
                return lock
            }
            guard !socket.isListened, environment.clock.now < deadline else { return nil }
            try await environment.clock.sleep(until: environment.clock.now + Self.pause)
        }
    }

    /// `nil` while another process has the folder.
    private static func take(_ folder: DataFolder) throws(DataFolder.FolderError) -> DataLock? {
        do throws(DataFolder.FolderError) { return try folder.lock() } catch {
            switch error {
            case .inUse: return nil
            case .cannotCreate, .openToOthers, .missing, .unused: throw error
            }
        }
    }

    private func ask<Value: Sendable>(
        _ address: AdminAddress,
        _ body: (any CommandExecutor) async throws -> Value
    ) async throws -> Value {
        try await DaemonCall.use(address, clock: environment.clock) { try await body($0) }
    }

    private func carryOutHere<Value: Sendable>(
        _ settings: Settings,
        _ body: (any CommandExecutor) async throws -> Value
    ) async throws -> Value {
        var logger = Logger(label: "vestibule") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        // Making a database is harmless, where it may be made. Changing the schema of one is `migrate`'s and `serve`'s
        // alone, so that nobody who only looks with a newer program shuts out the older daemon.
        let isNew = !FileManager.default.fileExists(atPath: settings.storage.path)
        let composition = try Composition(settings, environment: environment, logger: logger, migrating: isNew)
        do {
            // Like the daemon, before anything writes a row: a `migrate` or a crash may have left a database without one.
            await composition.audit.checkpoints.begin()
            let value = try await body(composition.administration)
            await composition.shutdown()
            return value
        } catch {
            await composition.shutdown()
            throw error
        }
    }
}
