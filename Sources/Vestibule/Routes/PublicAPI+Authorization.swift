import HTTPAPI
import OAuth
import Settings
import SignIn

/// The authorization endpoint, and where clients push requests for it.
extension PublicAPI {
    /// `clients`: who pushes requests; `broker`: takes up the requests of an upstream's clients.
    func authorizationRoutes(
        _ settings: Settings,
        _ feature: AuthorizationFeature,
        clients: ClientReader,
        broker: (any AuthorizationBroker)?
    ) -> [Route] {
        let authorize = AuthorizeAPI(
            service: feature.service,
            reader: feature.reader,
            pushed: feature.pushed,
            browser: browserProof(settings),
            cookies: .interaction(isSecure: settings.publicURL.hasPrefix("https://")),
            limits: addressGate(settings),
            codes: codeIssuing(feature.service),
            environment: composition.environment,
            bodyLimit: settings.limits.bodyBytes,
            broker: broker
        )
        let pushing = PushedRequestAPI(
            clients: clients,
            pushed: feature.pushed,
            gate: dpop(settings),
            limits: addressGate(settings)
        )
        return authorize.routes + pushing.routes
    }

    /// The issuing of codes, for every page that a person may be at.
    func codeIssuing(_ service: AuthorizationService) -> CodeIssuing {
        CodeIssuing(service: service, sessions: composition.sessions, unitOfWork: composition.unitOfWork)
    }
}
