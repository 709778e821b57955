// Assembly: every module, put together.
// Owns the composition: a file for each feature (`Features/`), adapters, the stores by kind, and upkeep.
// Has no rule, socket, signal or command: rules are in the modules, the rest is in Vestibule.
// Survives an unusable database, keys of another server and unreadable files: it throws an error with the cause.
// Each kind of store is named only in its file in `Stores/`. HTTPAPI's tests use other stores.

package import Accounts
import Audit
import Devices
import FaceProviders
package import HTTPAPI
package import Kernel
package import Logging
import Mail
import OAuth
package import Operations
import Passkeys
import Sessions
package import Settings
import SignIn
import Storage
import Telemetry
import Tokens
package import Wallet

/// The composition root: the only place that connects modules which do not know each other.
///
/// It is created once per process: by `serve`, or by a command while no daemon runs. Each feature is assembled in a
/// file of its own.
package struct Composition: Sendable {
    package let core: CoreFeature
    let signIn: SessionFeature
    let operation: OperationFeature
    let people: PeopleFeature
    let lifecycle: SessionLifecycleFeature
    package let oauth: OAuthFeature
    let wallet: WalletFeature
    let readiness = ReadinessCounts()

    /// `process`: what this process is to a database that others share.
    ///
    /// `configFile`: the config's file as the operator names it; `nil` for the built-in config.
    ///
    /// `stores`: used instead of the database in the settings.
    ///
    /// `faceProviders`: used instead of the providers in the settings.
    ///
    /// `banks`: used instead of the banks' HTTP client.
    ///
    /// `passwordCost`: the cost of hashing new passwords. It is reduced only in tests that hash hundreds of them.
    package init(
        _ settings: Settings,
        as process: ProcessRole,
        configFile: String? = nil,
        environment: Environment,
        logger: Logger,
        migrating: Bool,
        stores: Stores? = nil,
        faceProviders: [any FaceProvider]? = nil,
        banks: (any BankGateway)? = nil,
        passwordCost: ScryptParameters = .current
    ) throws {
        core = try CoreFeature(
            settings,
            as: process,
            environment: environment,
            logger: logger,
            migrating: migrating,
            stores: stores
        )
        let directory = OAuthClientDirectory(core)
        let logout = LogoutFeature(core, directory)
        signIn = SessionFeature(core, notices: logout.notices)
        wallet = WalletFeature(core, signIn, gateway: banks)
        operation = OperationFeature(core, signIn, faceProviders: faceProviders)
        let password = PasswordFeature(core, signIn, cost: passwordCost)
        let means = MeansEnding(descent: signIn.descent, operations: operation.service)
        let devices = DeviceFeature(core, signIn, ending: means)
        let passkeys: PasskeyFeature
        do {
            passkeys = try PasskeyFeature(core, signIn, registrations: password.registrations, ending: means)
        } catch {
            // Otherwise its lease would be renewed on.
            try? core.stores.upkeep.close()
            throw error
        }
        lifecycle = SessionLifecycleFeature(
            core,
            signIn,
            devices: devices.owned,
            passkeys: passkeys.owned,
            operations: operation.service
        )
        oauth = OAuthFeature(core, logout, ending: lifecycle.ending, configFile: configFile)
        people = PeopleFeature(
            accounts: AccountService(
                environment: core.environment,
                unitOfWork: core.stores.unitOfWork,
                store: signIn.accountStore,
                auditLog: core.audit.chain,
                directory: operation.providers,
                passwords: password.passwords,
                access: lifecycle.ending
            ),
            password: password,
            mailProofs: MailProofs(core, password, access: lifecycle.ending),
            devices: devices,
            passkeys: passkeys
        )
        measure()
    }

    private func measure() {
        let registry = core.observability.kept
        registry?.read(service)
        registry?.read(operation.providers.guarded)
        registry?.read(webhooks)
        registry?.read(audit.checkpoints)
        registry?.read(mail.worker.queue.counts)
        registry?.read(oauth.logout.notices.counts, now: core.environment.now)
        registry?.read(core.observability.storeHealth, stores.upkeep)
        registry?.read(readiness)
        registry?.read(audit.sweepTime)
        registry?.read(stores.upkeep.databaseClock)
        registry?.readProcess()
    }

    /// Checks that the database and the keys belong together, and changes nothing.
    ///
    /// - Throws: ``UnusableFilesError`` for keys that are gone, or that are another server's.
    package static func checkKeys(_ settings: Settings, environment: Environment) throws {
        try KeyDatabasePairing.check(settings, environment: environment)
    }

    /// Runs the missing migrations and nothing else, and returns their names.
    package static func migrate(_ settings: Settings, environment: Environment) throws -> [String] {
        try KeyDatabasePairing.check(settings, environment: environment)
        return try Stores.migrate(settings.storage, environment: environment)
    }

    /// Lets other daemons follow this one's operations, because it is about to stop.
    package func leave() { stores.upkeep.leave() }

    /// Notes that the server accepts requests.
    package func noteServing() {
        listening.begin(at: environment.now())
        stores.upkeep.noteServing()
    }

    /// Closes the connections and the database.
    ///
    /// - Parameter deadline: The time until which banks' answers are awaited. `nil`: now plus the drain timeout.
    package func shutdown(by deadline: Uptime? = nil) async {
        await operation.providers.shutdown()
        await oauth.upstreams?.shutdown()
        await wallet.shutdown(by: deadline ?? environment.clock.now + settings.listen.drain.timeout)
        do { try stores.upkeep.close() } catch {
            logger.warning(
                "the database was not closed cleanly: it is recovered at the next start",
                metadata: ["cause": "\(error)"]
            )
        }
    }
}

/// Accounts, and the means of signing in besides a face.
struct PeopleFeature: Sendable {
    let accounts: AccountService
    let password: PasswordFeature
    let mailProofs: MailProofs
    let devices: DeviceFeature
    let passkeys: PasskeyFeature
}
