import HTTPAPI
import Kernel
import OAuth
import Settings
import SignIn
import Storage
import Tokens

/// Devices without a browser (RFC 8628).
extension PublicAPI {
    /// The routes at which a device asks for its codes, and the page at which a person approves it.
    ///
    /// `clients` has to hold ``PageSignIn/Page/client(site:)``; `limits`: those of ``deviceCodeGrant(_:_:limits:)``.
    func deviceRoutes(
        _ settings: Settings,
        flow: DeviceFlowService,
        authorizations: AuthorizationService,
        clients: OAuthClientDirectory,
        reader: ClientReader,
        limits: DeviceFlowLimits?
    ) -> [Route] {
        let codes = DeviceAuthorizationAPI(
            service: flow,
            clients: reader,
            limits: limits,
            addresses: settings.clientAddresses,
            sourceKey: composition.passkeys.sourceKey,
            publicURL: settings.publicURL
        )
        let page = DevicePageAPI(
            service: flow,
            clients: clients,
            accounts: composition.accounts,
            browser: browserProof(settings),
            signIn: pageSignIn(.device, settings, service: authorizations),
            limits: limits,
            addresses: settings.clientAddresses,
            decisions: DeviceDecisions(
                deviceFlow: flow,
                accounts: composition.accounts,
                sessions: composition.sessions,
                unitOfWork: composition.unitOfWork
            ),
            environment: composition.environment,
            settings: pageSettings(settings)
        )
        return codes.routes + page.routes
    }

    func deviceCodeGrant(
        _ flow: DeviceFlowService,
        _ settings: Settings,
        limits: DeviceFlowLimits?
    ) -> DeviceCodeGrant {
        DeviceCodeGrant(
            codes: DeviceCodeRedemption(deviceFlow: flow, door: composition.door, unitOfWork: composition.unitOfWork),
            gate: dpop(settings),
            tokens: composition.tokens,
            limits: limits
        )
    }
}

extension DeviceFlowService {
    init(_ core: CoreFeature) {
        self.init(
            environment: core.environment,
            unitOfWork: core.store.unitOfWork,
            store: SQLiteDeviceAuthorizationStore(),
            keyFolder: core.secrets.folder,
            core.settings.oauth
        )
    }

    /// Over the store that is in use.
    init(
        environment: Environment,
        unitOfWork: SQLiteUnitOfWork,
        store: SQLiteDeviceAuthorizationStore,
        keyFolder: KeyFolder,
        _ settings: OAuthSettings
    ) {
        self.init(
            environment: environment,
            unitOfWork: unitOfWork,
            store: store,
            key: UserCodeKey(keyFolder.derivedDigest(.userCode)),
            policy: settings.device
        )
    }
}
