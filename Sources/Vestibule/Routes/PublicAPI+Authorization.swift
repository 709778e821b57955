import HTTPAPI
import OAuth
import Settings
import SignIn

/// The authorization endpoint, and where clients push requests for it.
extension PublicAPI {
    /// `clients`: who pushes requests; `broker`: takes up the requests of an upstream's clients.
    func authorizationRoutes(
        _ settings: Settings,
        _ office: AuthorizationFeature,
        clients: ClientReader,
        broker: (any AuthorizationBroker)?
    ) -> [Route] {
        let authorize = AuthorizeAPI(
            desk: office.desk,
            reader: office.reader,
            pushed: office.pushed,
            browser: browserProof(settings),
            cookies: InteractionCookies(isSecure: settings.publicURL.hasPrefix("https://")),
            limits: addressGate(settings),
            codes: codeIssuing(office.desk),
            facts: composition.facts,
            bodyLimit: settings.limits.bodyBytes,
            broker: broker
        )
        let pushing = PushedRequestAPI(
            clients: clients,
            pushed: office.pushed,
            gate: dpop(settings),
            limits: addressGate(settings)
        )
        return authorize.routes + pushing.routes
    }

    /// Where codes come from, for whichever page a person was at.
    func codeIssuing(_ desk: AuthorizationService) -> CodeIssuing {
        CodeIssuing(desk: desk, sessions: composition.sessions, unitOfWork: composition.unitOfWork)
    }
}
