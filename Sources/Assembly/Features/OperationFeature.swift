import Accounts
import FaceProviders
import Kernel
import OAuth
import Operations
import Passkeys
import Settings
import SignIn
import Tokens

/// Face logins: the operation engine with its providers, webhooks and backchannel requests.
struct OperationFeature: Sendable {
    let providers: ProviderRegistry
    let backchannel: BackchannelFeature
    let service: OperationService
    let webhooks: WebhookIntake

    /// `faceProviders`: used instead of the providers in the settings.
    init(_ core: CoreFeature, _ sessions: SessionFeature, faceProviders: [any FaceProvider]?) {
        let (settings, environment) = (core.settings, core.environment)
        providers = ProviderRegistry(
            settings.providers,
            publicURL: settings.publicURL,
            environment: environment,
            logger: core.observability.logger,
            daemons: { [nodes = core.stores.upkeep.nodes] in nodes.peers.count }
        )
        backchannel = BackchannelFeature(core)
        let scanning = (faceProviders ?? providers.guarded as [any FaceProvider]).map { provider in
            core.observability.kept.map { MeasuredFaceProvider(provider, clock: environment.clock, factory: $0) }
                ?? provider
        }
        service = OperationService(
            environment: environment,
            cache: OperationCache(),
            ports: OperationPorts(
                unitOfWork: core.stores.unitOfWork,
                store: core.stores.operations,
                auditLog: core.audit.chain,
                accounts: AccountPorts(core, sessions),
                encryptor: core.secrets.encryptor,
                nodes: core.stores.upkeep.nodes,
                feed: core.stores.upkeep.feed,
                onDecision: { [backchannel = backchannel.service] operation, transaction in
                    guard operation.request.policy.landing.starter == .server else { return }
                    try backchannel.noteDecided(operation.id, in: transaction)
                }
            ),
            providers: ScanProviders(
                scanning,
                login: ProviderName(settings.faceLogin.provider),
                failover: settings.faceLogin.failover.map { ProviderName($0) },
                returns: ReturnSecrets(key: core.secrets.folder.derivedKey(.scanReturn)),
                clock: environment.clock
            ),
            cadence: settings.faceLogin.cadence,
            admission: AdmissionControl(
                settings.limits.off ? nil : settings.limits.rates,
                environment: environment,
                sharing: LimitSharing(
                    KeyedHash(key: core.secrets.folder.derivedDigest(.limitKeys)),
                    uses: core.stores.upkeep.sharedUses,
                    nodes: core.stores.upkeep.nodes,
                    clock: environment.clock
                ),
                tagged: core.secrets.taggedIDs,
                limitsLookups: !settings.limits.off
            ),
            metrics: core.observability.kept.map { OperationMetrics($0) } ?? OperationMetrics(),
            logger: core.observability.logger
        )
        webhooks = WebhookIntake(
            settings,
            service: service,
            environment: environment,
            logger: core.observability.logger
        )
    }
}

extension AccountPorts {
    /// The ports to the stores of accounts, devices and sessions.
    fileprivate init(_ core: CoreFeature, _ sessions: SessionFeature) {
        self.init(
            subjects: LoginSubjectsAdapter(
                accounts: sessions.accountStore,
                devices: sessions.devices.links,
                registered: sessions.devices.registered,
                enrolments: core.stores.people.enrolments
            ),
            sessions: sessions.door,
            activeSessions: sessions.activeSessions,
            enrolling: FaceEnrollingAdapter(
                accounts: sessions.accountStore,
                enrolments: core.stores.people.enrolments,
                activeSessions: sessions.activeSessions,
                notices: sessions.notices,
                environment: core.environment,
                descents: core.stores.sessions.descents
            ),
            passkeys: core.settings.servesPasskeys
                ? ConfirmingPasskeysAdapter(
                    store: core.stores.people.passkeys.passkeys,
                    unitOfWork: core.stores.unitOfWork,
                    rpID: core.settings.relyingParty.id
                ) : nil
        )
    }
}
