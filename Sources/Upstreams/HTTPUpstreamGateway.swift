package import CodeFlow
package import Kernel
package import OAuth
package import Outbound

/// Sends requests to the broker's upstreams over the shared HTTP client (``ServerHTTP``).
package struct HTTPUpstreamGateway: UpstreamGateway {
    /// The most bytes of an answer: to a lookup, and with a person's data.
    static let lookupLimit = 65_536
    static let dataLimit = 1_048_576

    private let server: ServerHTTP

    package init(_ http: OutboundHTTP) { server = ServerHTTP(http: http, takesLooseAnswers: true) }

    package func tokens(for grant: TokenGrant, at upstream: Upstream) async throws(ExchangeError) -> TokenAnswer {
        try await server.tokens(for: grant, at: upstream.server, within: upstream.timeout)
    }

    package func person(
        behind accessToken: Secret,
        by lookup: PersonLookup,
        at upstream: Upstream
    ) async throws(ExchangeError) -> UpstreamAnswer {
        let accepted =
            switch lookup.person {
            case .json: "application/json"
            case .xml: "application/xml, text/xml"
            }
        return UpstreamAnswer(
            try await server.get(
                lookup.url,
                with: accessToken,
                accepting: accepted,
                limit: Self.lookupLimit,
                timeout: upstream.timeout
            )
        )
    }

    package func data(
        of person: String,
        in resource: Upstream.Resource,
        at upstream: Upstream
    ) async throws(ExchangeError) -> UpstreamAnswer {
        let url = resource.dataURL.replacing(Upstream.Resource.placeholder, with: PercentEncoding.component(person))
        return UpstreamAnswer(
            try await server.get(url, with: resource.dataKey, limit: Self.dataLimit, timeout: upstream.timeout)
        )
    }
}

extension UpstreamAnswer {
    fileprivate init(_ response: OutboundResponse) { self.init(status: response.status, body: response.body) }
}
