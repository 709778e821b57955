import Accounts
import FaceProviders
import Kernel
import OAuth
import Operations
import Settings
import SignIn
import Storage
import Tokens

/// The face login: the engine with its providers, webhooks and backchannel requests.
struct OperationFeature: Sendable {
    let providers: ProviderRegistry
    let store: SQLiteOperationStore
    let backchannel: BackchannelFeature
    let service: OperationService
    let webhooks: WebhookIntake

    /// `faceProviders`: scan in the place of those that the settings name.
    init(_ core: CoreFeature, _ sessions: SessionFeature, faceProviders: [any FaceProvider]?) {
        let (settings, environment) = (core.settings, core.environment)
        providers = ProviderRegistry(
            settings.providers,
            publicURL: settings.publicURL,
            environment: environment,
            logger: core.logger
        )
        store = SQLiteOperationStore(core.database, node: CoreFeature.node)
        backchannel = BackchannelFeature(core)
        let scanning = (faceProviders ?? providers.guarded as [any FaceProvider]).map { provider in
            core.metrics.map { MeasuredFaceProvider(provider, clock: environment.clock, factory: $0) } ?? provider
        }
        service = OperationService(
            environment: environment,
            cache: OperationCache(),
            unitOfWork: core.unitOfWork,
            store: store,
            subjects: LoginSubjectsAdapter(
                accounts: sessions.accountStore,
                devices: sessions.links,
                registered: sessions.registered
            ),
            sessions: sessions.door,
            activeSessions: sessions.activeSessions,
            enrolling: FaceEnrollingAdapter(
                accounts: sessions.accountStore,
                enrolments: SQLiteEnrolmentStore(),
                activeSessions: sessions.activeSessions,
                notices: sessions.notices,
                environment: environment,
                descents: SQLiteDescentStore()
            ),
            passkeys: settings.servesPasskeys
                ? ConfirmingPasskeysAdapter(
                    store: SQLitePasskeyStore(core.database),
                    unitOfWork: core.unitOfWork,
                    rpID: settings.relyingParty.id
                ) : nil,
            auditLog: core.audit.chain,
            onDecision: { [backchannel = backchannel.service] id, transaction in
                try backchannel.noteDecided(id, in: transaction)
            },
            providers: scanning,
            loginProvider: ProviderName(settings.faceLogin.provider),
            failover: settings.faceLogin.failover.map { ProviderName($0) },
            cadence: settings.faceLogin.cadence,
            lookups: StoreLookups(clock: environment.clock, isLimited: !settings.limits.off),
            limits: Limits(settings.limits.off ? nil : settings.limits.rates, environment: environment),
            metrics: core.metrics.map { OperationMetrics($0) } ?? OperationMetrics(),
            returns: ReturnSecrets(key: core.keyFolder.derivedKey(.scanReturn)),
            logger: core.logger
        )
        webhooks = WebhookIntake(settings, service: service, environment: environment, logger: core.logger)
    }
}
