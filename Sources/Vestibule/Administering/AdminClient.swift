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
/// While no daemon runs, this process runs the commands under the lock on the data folder. So no daemon's memory can
/// differ from the database afterwards.
///
/// For a running daemon only the path of its socket is read from the config: this process may not be allowed to read
/// the daemon's secrets.
struct AdminClient {
    /// The longest wait for a data folder that another process holds, while no daemon listens.
    private static let patience: Duration = .seconds(5)
    private static let pause: Duration = .milliseconds(50)

    let options: SettingsOptions
    let environment: Environment
    var variables = SettingsOptions.ownEnvironment

    /// Sends one command.
    ///
    /// - Throws: `AdminError` when the command is refused, ``ExitError`` when there is no answer.
    func send<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply {
        if Command.needsDaemon { return try await askRunning(command) }
        return try await use(making: Command.makesDataFolder) { try await $0.execute(command) }
    }

    /// Sends any number of commands to one executor: a daemon can't be started in between.
    ///
    /// `making`: whether the data folder, its keys and its database may be created. Otherwise a missing one is an
    /// error.
    func use<Value: Sendable>(
        making: Bool,
        _ body: (any CommandExecutor) async throws -> Value
    ) async throws -> Value {
        let address = try options.adminAddress(environment: variables)
        guard making || !DataFolder.isMissing(address.dataFolder) else {
            throw DataFolder.FolderError.missing(path: address.dataFolder)
        }
        var lock: DataLock?
        // A folder without a lock file has no daemon. Nothing in it is opened before the whole config is valid.
        if DataFolder.mayBeHeld(address.dataFolder) {
            lock = try await hold(address)
            guard lock != nil else { return try await ask(address, body) }
        }
        let loaded = try options.load(environment: variables)
        if !making { try Self.refuseUnused(loaded.settings) }
        if lock == nil { lock = try await hold(address) }
        guard let lock else { return try await ask(address, body) }
        defer { withExtendedLifetime(lock) {} }
        return try await carryOutHere(loaded, body)
    }

    /// Refuses a folder that was never started with: without a database file, or without the keys of a database on a
    /// server.
    private static func refuseUnused(_ settings: Settings) throws(DataFolder.FolderError) {
        guard let file = settings.storage.file else {
            let key = settings.secrets.keyFolder + "/root.key"
            guard DataFolder.isMissing(key) else { return }
            throw .keyless(path: settings.dataFolder, key: key)
        }
        guard DataFolder.isMissing(file) else { return }
        throw .unused(path: settings.dataFolder, database: file)
    }

    private func askRunning<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply {
        let address = try options.adminAddress(environment: variables)
        guard !DataFolder.isMissing(address.dataFolder) else {
            throw DataFolder.FolderError.missing(path: address.dataFolder)
        }
        guard let reply = try await askDaemon(command) else {
            throw ExitError.unavailable(
                "No daemon runs on the data folder \(address.dataFolder). Start it, or ask another one of its database."
            )
        }
        return reply
    }

    /// Returns the daemon's reply, or `nil` while no daemon runs.
    func askDaemon<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply? {
        let address = try options.adminAddress(environment: variables)
        guard DataFolder.mayBeHeld(address.dataFolder), try await hold(address) == nil else { return nil }
        return try await ask(address) { try await $0.execute(command) }
    }

    /// Returns the lock on the folder, or `nil` while a daemon or, for longer than the wait, another process holds it.
    ///
    /// A command releases the lock soon, and a starting daemon soon listens. Both are awaited.
    ///
    /// - Throws: ``ExitError`` when the lock is free, but a daemon still listens.
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

    /// Returns `nil` while another process holds the lock.
    private static func take(_ folder: DataFolder) throws(DataFolder.FolderError) -> DataLock? {
        do throws(DataFolder.FolderError) { return try folder.lock() } catch {
            switch error {
            case .inUse: return nil
            case .cannotCreate, .openToOthers, .missing, .unused, .keyless: throw error
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
        _ loaded: LoadedSettings,
        _ body: (any CommandExecutor) async throws -> Value
    ) async throws -> Value {
        var settings = loaded.settings
        var logger = Logger(label: "vestibule") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        // A command may create a database, if that is allowed. Only `migrate` and `serve` change the schema of an
        // existing one. Otherwise a newer program's command would lock out an older daemon.
        let isNew = settings.storage.file.map { !FileManager.default.fileExists(atPath: $0) } ?? false
        // Standard output has what the command prints.
        if settings.audit.output != nil { settings.audit.checkpoints = AuditSettings.Output.standardError.rawValue }
        let composition = try Composition(
            settings,
            as: .command,
            configFile: loaded.file,
            environment: environment,
            logger: logger,
            migrating: isNew
        )
        do {
            // As in the daemon, this comes before any row is written: after `migrate` or a crash the audit may have no
            // checkpoint.
            await composition.audit.checkpoints.begin()
            // A client of the database is told of the sessions that a command ends, by the next daemon.
            try await composition.oauth.load(logger)
            let value = try await body(composition.administration)
            await composition.shutdown()
            return value
        } catch {
            await composition.shutdown()
            throw error
        }
    }
}
