package import CodeFlow
package import Kernel

/// The way to an upstream: one request each, never repeated, with the upstream's secret where it belongs.
package protocol UpstreamGateway: Sendable {
    /// Its token endpoint.
    func tokens(for grant: TokenGrant, at upstream: Upstream) async throws(ExchangeError) -> TokenAnswer
    /// Its lookup of the person behind an access token.
    func person(
        behind accessToken: Secret,
        by lookup: PersonLookup,
        at upstream: Upstream
    ) async throws(ExchangeError) -> UpstreamAnswer
    /// The data of a person.
    func data(
        of person: String,
        in resource: Upstream.Resource,
        at upstream: Upstream
    ) async throws(ExchangeError) -> UpstreamAnswer
}

/// An answer of a lookup or of a data server, whatever its status, read whole.
package struct UpstreamAnswer: Sendable, Equatable {
    package let status: Int
    package let body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}
