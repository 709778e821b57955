package import CodeFlow
package import Kernel

/// Port: sends requests to an upstream, each once, with this server's client secret where the upstream expects it.
package protocol UpstreamGateway: Sendable {
    /// Sends a grant to the token endpoint.
    func tokens(for grant: TokenGrant, at upstream: Upstream) async throws(ExchangeError) -> TokenAnswer
    /// Asks for the person of an access token.
    func person(
        behind accessToken: Secret,
        by lookup: PersonLookup,
        at upstream: Upstream
    ) async throws(ExchangeError) -> UpstreamAnswer
    /// Asks for the data of a person.
    func data(
        of person: String,
        in resource: Upstream.Resource,
        at upstream: Upstream
    ) async throws(ExchangeError) -> UpstreamAnswer
}

/// The complete answer of a lookup or of a data server, with any status.
package struct UpstreamAnswer: Sendable, Equatable {
    package let status: Int
    package let body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}
