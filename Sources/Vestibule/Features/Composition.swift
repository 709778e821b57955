import Accounts
import Audit
import Devices
import FaceProviders
import HTTPAPI
import Kernel
import Logging
import Mail
import OAuth
import Operations
import Passkeys
import Sessions
import Settings
import SignIn
import Storage
import Telemetry
import Tokens
import Wallet

/// The composition root: the one place where modules that don't know each other meet.
///
/// Made once per process, by `serve` or, while no daemon runs, by a command. Each feature is put together in a file of its
/// own.
struct Composition: Sendable {
    let core: CoreFeature
    let listening: ListeningSince
    let signIn: SessionFeature
    let operation: OperationFeature
    let password: PasswordFeature
    let devices: DeviceFeature
    let passkeys: PasskeyFeature
    let ending: EndingService
    let refreshes: RefreshService
    let oauth: OAuthFeature
    let authorization: AuthorizationFeature
    let deviceFlow: DeviceFlowService
    let accounts: AccountService
    let mailProofs: MailProofs
    let wallet: WalletFeature
    /// `nil` where the config names none.
    let upstreams: UpstreamRegistry?
    let readiness = ReadinessCounts()

    /// `faceProviders`: scan in the place of those that the settings name; `banks`: the way to banks in the place of HTTP;
    /// `passwordCost`: what new passwords are hashed with, less only where hundreds are hashed by tests.
    init(
        _ settings: Settings,
        environment: Environment,
        logger: Logger,
        migrating: Bool,
        faceProviders: [any FaceProvider]? = nil,
        banks: (any BankGateway)? = nil,
        passwordCost: ScryptParameters = .current
    ) throws {
        core = try CoreFeature(settings, environment: environment, logger: logger, migrating: migrating)
        listening = ListeningSince(startedAt: core.startedAt)
        signIn = SessionFeature(core)
        wallet = WalletFeature(core, signIn, gateway: banks)
        operation = OperationFeature(core, signIn, faceProviders: faceProviders)
        password = PasswordFeature(core, signIn, cost: passwordCost)
        let means = MeansEnding(descent: signIn.descent, operations: operation.service)
        devices = DeviceFeature(core, signIn, ending: means)
        passkeys = try PasskeyFeature(core, signIn, registrations: password.registrations, ending: means)
        ending = EndingService(
            descent: signIn.descent,
            environment: environment,
            devices: devices.owned,
            passkeys: passkeys.owned,
            codes: SQLiteEmailCodeStore(core.database),
            operations: operation.service,
            unitOfWork: core.unitOfWork
        )
        refreshes = RefreshService(
            environment: environment,
            unitOfWork: core.unitOfWork,
            store: SQLiteSessionStore(core.database),
            subjects: RefreshSubjectsAdapter(
                accounts: signIn.accountStore,
                devices: signIn.links,
                registered: signIn.registered
            ),
            sessions: signIn.sessions,
            ending: ending,
            listening: listening,
            policies: settings.refreshPolicy
        )
        oauth = OAuthFeature(core, ending: ending)
        authorization = AuthorizationFeature(core, oauth.directory)
        deviceFlow = DeviceFlowService(core)
        accounts = AccountService(
            environment: environment,
            unitOfWork: core.unitOfWork,
            store: signIn.accountStore,
            auditLog: core.audit.chain,
            directory: operation.providers,
            passwords: password.passwords,
            access: ending
        )
        mailProofs = MailProofs(core, password, access: ending)
        upstreams = UpstreamRegistry(
            settings,
            callback: settings.publicURL + UpstreamSignIn.path,
            keyFolder: core.keyFolder,
            environment: environment,
            logger: logger
        )
        measure()
    }

    private func measure() {
        let registry = core.metrics
        registry?.read(service)
        registry?.read(operation.providers.guarded)
        registry?.read(webhooks)
        registry?.read(audit.checkpoints)
        registry?.read(mail.worker.queue.counts)
        registry?.read(core.health, database)
        registry?.read(readiness)
        registry?.read(audit.sweepTime)
        registry?.readProcess()
    }

    /// Runs missing migrations and nothing else; returns their names.
    static func migrate(_ settings: Settings, environment: Environment) throws -> [String] {
        try KeyDatabasePairing.check(settings, environment: environment)
        let (database, applied) = try SQLiteDatabase.open(settings.storage, migrating: true, at: environment.now())
        try database.close()
        return applied
    }

    /// Closes the connections and the database.
    ///
    /// `deadline`: until when banks' answers are waited for; `nil` for a stop that begins now.
    func shutdown(by deadline: Uptime? = nil) async {
        await operation.providers.shutdown()
        await backchannel.shutdown()
        await upstreams?.shutdown()
        await wallet.shutdown(by: deadline ?? environment.clock.now + settings.listen.drain.timeout)
        do { try database.close() } catch {
            logger.warning("the database was not closed in order", metadata: ["cause": "\(error)"])
        }
    }
}
