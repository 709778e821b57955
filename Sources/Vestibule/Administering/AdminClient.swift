import FoundationEssentials
import HTTPAPI
import Kernel
import Logging

/// Takes a command's requests to whoever can carry them out: the daemon, over its socket, or this process under the
/// lock on the data folder while no daemon runs.
///
/// Either way memory never goes stale. For a daemon that runs only the place of its socket is read from the config; its
/// secrets may be out of this process's reach.
struct AdminClient {
    let options: SettingsOptions
    let facts: Facts

    /// Sends one request.
    ///
    /// - Throws: ``Exit``, with the daemon's own words where it refused.
    func send(_ request: AdminRequest) async throws -> AdminReply {
        try await use(making: request.mayMakeData) { try await $0.send(request) }
    }

    /// Sends as many requests as `body` likes, all to the same one: a daemon can't be started in between.
    ///
    /// `making`: makes the folder, its keys and its database where they are missing; otherwise that is a fault.
    func use<Value: Sendable>(
        making: Bool,
        _ body: (Administrator) async throws -> Value
    ) async throws -> Value {
        let address = try options.adminAddress()
        guard making || !DataFolder.isMissing(address.dataFolder) else {
            throw DataFolder.Fault.missing(path: address.dataFolder)
        }
        var lock: DataLock?
        // A folder that nobody has held has no daemon; it is touched once the whole config holds.
        if DataFolder.mayBeHeld(address.dataFolder) {
            lock = try Self.lock(address)
            guard lock != nil else { return try await ask(address, body) }
        }
        let settings = try options.load().settings
        guard making || !DataFolder.isMissing(settings.storage.file) else {
            throw DataFolder.Fault.unused(path: address.dataFolder, database: settings.storage.file)
        }
        if lock == nil { lock = try Self.lock(address) }
        guard let lock else { return try await ask(address, body) }
        defer { withExtendedLifetime(lock) {} }
        return try await carryOutHere(settings, body)
    }

    /// The daemon's answer; `nil` while none runs.
    func askDaemon(_ request: AdminRequest) async throws -> AdminReply? {
        let address = try options.adminAddress()
        guard DataFolder.mayBeHeld(address.dataFolder), try Self.lock(address) == nil else { return nil }
        return try await ask(address) { try await $0.send(request) }
    }

    /// `nil` while another process has the folder.
    private static func lock(_ address: AdminAddress) throws -> DataLock? {
        let folder = try DataFolder.open(address.dataFolder)
        do throws(DataFolder.Fault) { return try folder.lock() } catch {
            switch error {
            case .inUse: return nil
            case .cannotCreate, .openToOthers, .missing, .unused: throw error
            }
        }
    }

    private func ask<Value: Sendable>(
        _ address: AdminAddress,
        _ body: (Administrator) async throws -> Value
    ) async throws -> Value {
        try await DaemonCall.use(address, clock: facts.clock) { call in
            try await body(Administrator { try await call.send($0) })
        }
    }

    private func carryOutHere<Value: Sendable>(
        _ settings: Settings,
        _ body: (Administrator) async throws -> Value
    ) async throws -> Value {
        var logger = Logger(label: "vestibule") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        // Making a database is harmless, where it may be made. Changing the schema of one is `migrate`'s and `serve`'s alone, so that nobody
        // who only looks with a newer program shuts out the older daemon.
        let isNew = !FileManager.default.fileExists(atPath: settings.storage.file)
        let composition = try Composition(settings, facts: facts, logger: logger, migrating: isNew)
        do {
            let administration = composition.administration
            let value = try await body(Administrator { try await administration.handle($0) })
            await composition.shutdown()
            return value
        } catch {
            await composition.shutdown()
            throw error
        }
    }
}
