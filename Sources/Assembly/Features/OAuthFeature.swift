import HTTPAPI
import Kernel
package import Logging
import OAuth
import Settings
import Tokens

/// OAuth: the client directory, and the services of its parts.
package struct OAuthFeature: Sendable {
    let directory: OAuthClientDirectory
    let logout: LogoutFeature
    let clients: ClientService
    let authenticator: ClientAuthenticator
    let authorization: AuthorizationFeature
    let deviceFlow: DeviceFlowService
    /// `nil` where the config names no upstream.
    let upstreams: UpstreamRegistry?

    /// `configFile`: the config's file as the operator names it; `nil` for the built-in config.
    init(_ core: CoreFeature, _ logout: LogoutFeature, ending: any ClientEnding, configFile: String?) {
        let (settings, environment) = (core.settings, core.environment)
        let secrets = ClientSecrets(core)
        let directory = logout.notices.directory
        self.logout = logout
        self.directory = directory
        clients = ClientService(
            directory: directory,
            environment: environment,
            unitOfWork: core.stores.unitOfWork,
            store: core.stores.oauth.clients,
            auditLog: core.audit.chain,
            secrets: secrets,
            ending: ending,
            rules: NewClientRules(
                reserved: settings.reservedClientNames,
                names: Set(settings.clients.map(\.name)),
                configFile: configFile,
                notices: settings.notificationEndpoints,
                identityAlgorithms: { [keys = core.secrets.ring] in
                    keys.identityAlgorithms.map { IdentityAlgorithm($0) }
                },
                themeFaults: { settings.faults(of: $0, from: .disk) }
            )
        )
        authenticator = ClientAuthenticator(
            directory: directory,
            secrets: secrets,
            assertions: AssertionMemory(environment: environment)
        )
        authorization = AuthorizationFeature(core, directory)
        deviceFlow = DeviceFlowService(core)
        upstreams = UpstreamRegistry(
            settings,
            callback: settings.publicURL + UpstreamSignIn.path,
            keyFolder: core.secrets.folder,
            marks: UsedMarks(store: core.stores.sessions.usedMarks, unitOfWork: core.stores.unitOfWork),
            environment: environment,
            logger: core.observability.logger
        )
    }

    /// Follows the changes of clients by other daemons, until the task is cancelled.
    package func follow() async { await clients.follow() }

    /// Reads the clients of the database, before the first request.
    package func load(_ logger: Logger) async throws {
        for id in try await clients.load() {
            logger.warning(
                "a client of the database is not served, because the config has its name: give the client in the config another name",
                metadata: ["client": "\(id)"]
            )
        }
    }
}

extension ClientSecrets {
    init(_ core: CoreFeature) { self.init(key: core.secrets.folder.derivedDigest(.clientSecret)) }
}

extension OAuthClientDirectory {
    /// The clients of the config, and those of the server's own pages.
    convenience init(_ core: CoreFeature) {
        self.init(
            configured: core.settings.oauthClients(ClientSecrets(core)),
            own: PageSignIn.Page.allCases.map { $0.client(site: core.settings.ownerName) },
            feed: core.stores.upkeep.feed,
            onChange: { [configured = core.configured] directory in configured.show { directory.themed } }
        )
    }
}

extension DeviceFlowService {
    init(_ core: CoreFeature) {
        self.init(
            environment: core.environment,
            unitOfWork: core.stores.unitOfWork,
            store: core.stores.oauth.deviceAuthorizations,
            key: UserCodeKey(core.secrets.folder.derivedDigest(.userCode)),
            policy: core.settings.oauth.device
        )
    }
}
