import HTTPAPI
import OAuth
import Settings

/// The broker, and the resource to try it with.
extension PublicAPI {
    /// The broker that answers at the token endpoint for the clients of upstreams; `nil` without upstreams.
    var tokenBroker: (any TokenBroker)? {
        composition.upstreams.map { UpstreamTokenBroker(service: $0.service, upstreams: $0.upstreams) }
    }

    /// The way of browsers to the upstreams and back; `nil` where there are none.
    func upstreamSignIn(_ settings: Settings) -> UpstreamSignIn? {
        composition.upstreams.map { registry in
            UpstreamSignIn(
                service: registry.service,
                upstreams: registry.upstreams,
                isSecure: settings.publicURL.hasPrefix("https://"),
                site: settings.relyingParty.name
            )
        }
    }

    /// `GET /api/data`, where the config names the client whom it is for.
    func dataRoutes(_ settings: Settings, clients: OAuthClientDirectory) -> [Route] {
        guard let client = settings.sampleData.client.flatMap({ clients.client($0) }) else { return [] }
        let upstream = client.upstream.flatMap { composition.upstreams?.upstreams[$0] }
        return DataAPI(
            client: client,
            publicURL: settings.publicURL,
            issuer: settings.issuer,
            broker: composition.upstreams.flatMap { registry in
                upstream.map { (service: registry.service, upstream: $0) }
            },
            environment: composition.environment
        ).routes
    }
}
