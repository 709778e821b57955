import HTTPTypes
import Hummingbird
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings

@testable import Assembly
@testable import HTTPAPI

/// Parts of the API over a bench, with other clients than the config's.
extension Harness {
    /// The API whose authorization server has those clients, no upstream and no registration.
    ///
    /// `environment`: that of its authorization requests.
    func api(
        of directory: OAuthClientDirectory,
        _ secrets: ClientSecrets = ClientSecrets(key: Digest256(sha256: "a key of this test")),
        environment: Environment? = nil
    ) -> PublicAPI {
        var api = api
        api.services.oauth.clients.directory = directory
        api.services.oauth.clients.authenticator = ClientAuthenticator(
            directory: directory,
            secrets: secrets,
            assertions: AssertionMemory(environment: composition.environment)
        )
        api.services.oauth.refreshes = composition.oauthRefreshes(directory)
        api.services.oauth.authorization = composition.authorizationServices(
            AuthorizationFeature(
                directory: directory,
                hints: NoHints(),
                issuer: settings.issuer,
                policy: settings.oauth.authorization,
                environment: environment ?? composition.environment,
                stores: composition.stores
            )
        )
        api.services.oauth.upstreams = nil
        api.configuration.oauth.takesRegistrations = false
        api.limits.clients = nil
        return api
    }

    /// A server of those routes alone.
    func application(
        _ routes: [Route],
        of api: PublicAPI,
        refusals: RefusalLog? = nil
    ) -> Application<PublicResponder> {
        let edge = EdgeMiddleware(
            server: api.server,
            environment: composition.environment,
            logger: log.logger,
            refusals: refusals
        )
        let table = RouteTable(routes, behind: api.gate)
        return Application(responder: table.responder(edge: edge), logger: log.logger)
    }
}

private struct NoHints: IDTokenHints {
    func account(of token: String, for client: OAuthClient) -> AccountID? { nil }
}
