import HTTPAPI
import OAuth
import Settings

/// The authorization server: each of its parts, as far as the config switches it on.
extension PublicAPI {
    func authorizationServer(_ settings: Settings) -> [Route] {
        let broker = upstreamSignIn(settings)
        guard settings.oauth.enabled else { return broker?.routes ?? [] }
        let (feature, flow, directory) = (
            composition.authorization, composition.deviceFlow, composition.oauth.directory
        )
        let clients = clientReader(settings)
        let devices = deviceRoutes(
            settings,
            flow: flow,
            authorizations: feature.service,
            clients: directory,
            reader: clients,
            limits: deviceFlowLimits
        )
        let tokens = oauthTokenRoutes(
            settings,
            authorization: feature.service,
            furtherGrants: [backchannelGrant(settings), deviceCodeGrant(flow, settings, limits: deviceFlowLimits)]
        )
        return authorizationRoutes(settings, feature, clients: clients, broker: broker)
            + signInPage(settings, service: feature.service, clients: directory).routes
            + tokens + backchannelRoutes(settings, clients) + devices + (broker?.routes ?? [])
    }
}
