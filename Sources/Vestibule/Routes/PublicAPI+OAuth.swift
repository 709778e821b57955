import HTTPAPI
import OAuth
import Settings

/// The authorization server: each of its parts, as far as the config switches it on.
extension PublicAPI {
    func authorizationServer(_ settings: Settings) -> [Route] {
        let broker = upstreamSignIn(settings)
        guard settings.oauth.enabled else { return broker?.routes ?? [] }
        let (office, flow, directory) = (
            composition.authorization, composition.deviceFlow, composition.oauth.directory
        )
        let clients = clientReader(settings)
        let devices = deviceRoutes(
            settings,
            flow: flow,
            authorizations: office.desk,
            clients: directory,
            reader: clients,
            limits: deviceFlowLimits
        )
        let tokens = oauthTokenRoutes(
            settings,
            authorization: office.desk,
            furtherGrants: [
                backchannelGrant(settings),
                deviceCodeGrant(flow, settings, limits: deviceFlowLimits),
            ]
        )
        return authorizationRoutes(settings, office, clients: clients, broker: broker)
            + signInPage(settings, desk: office.desk, clients: directory).routes
            + tokens + backchannelRoutes(settings, clients) + devices + (broker?.routes ?? [])
    }
}
