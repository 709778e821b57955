package import Kernel

/// The way to an upstream: one request each, never repeated, with the upstream's secret where it belongs.
package protocol UpstreamGateway: Sendable {
    /// Its token endpoint.
    func tokens(for grant: UpstreamGrant, at upstream: Upstream) async throws(UpstreamFailure) -> UpstreamAnswer
    /// Its lookup of the person behind an access token.
    func person(
        behind accessToken: Secret,
        _ lookup: PersonLookup,
        at upstream: Upstream
    ) async throws(UpstreamFailure) -> UpstreamAnswer
    /// The data of a person.
    func data(
        of person: String,
        _ resource: Upstream.Resource,
        at upstream: Upstream
    ) async throws(UpstreamFailure) -> UpstreamAnswer
}

/// What the token endpoint is asked for: there is no room in it for a parameter that nobody thought of.
package enum UpstreamGrant: Sendable, Equatable {
    /// `redirectURI`: the one that the code was asked for with; `nil` where the app names none.
    case code(Secret, redirectURI: String?, verifier: Secret?)
    case refreshToken(Secret, scope: String?)
}

/// An answer of an upstream, whatever its status, read whole.
package struct UpstreamAnswer: Sendable, Equatable {
    package let status: Int
    package let body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Why there is no answer of an upstream; its text is for the log.
package enum UpstreamFailure: Error, Equatable, Sendable {
    /// It can't be reached, is too slow, or broke off.
    case unavailable(cause: String)
    /// It answers what can't be used: too much, or that it is somewhere else.
    case unusable(cause: String)
}
