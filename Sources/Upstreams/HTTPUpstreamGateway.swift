package import Kernel
package import OAuth
package import Outbound

/// Speaks to the broker's upstreams over the one HTTP client: each request once, bounded in time and size, and never sent on
/// to where a redirect points.
package struct HTTPUpstreamGateway: UpstreamGateway {
    /// The largest answers, in bytes.
    static let lookupLimit = 65_536
    static let dataLimit = 1_048_576

    private let http: OutboundHTTP

    package init(_ http: OutboundHTTP) { self.http = http }

    package func tokens(
        for grant: UpstreamGrant,
        at upstream: Upstream
    ) async throws(UpstreamFailure) -> UpstreamAnswer {
        let client: TokenRequest.Client =
            switch upstream.authentication {
            case .post: .post(id: upstream.clientID, secret: upstream.clientSecret)
            case .basic: .basic(id: upstream.clientID, secret: upstream.clientSecret)
            }
        return try await send(
            TokenRequest(
                url: upstream.tokenURL,
                fields: Self.fields(of: grant),
                client: client,
                timeout: upstream.timeout
            ).request
        )
    }

    package func person(
        behind accessToken: Secret,
        _ lookup: PersonLookup,
        at upstream: Upstream
    ) async throws(UpstreamFailure) -> UpstreamAnswer {
        let accepted =
            switch lookup.person {
            case .json: "application/json"
            case .xml: "application/xml, text/xml"
            }
        return try await send(
            OutboundRequest(
                .get,
                .url(lookup.url),
                headers: [
                    OutboundHeader("Authorization", "Bearer \(accessToken.expose())"),
                    OutboundHeader("Accept", accepted),
                ],
                timeout: upstream.timeout,
                maxResponseBytes: Self.lookupLimit
            )
        )
    }

    package func data(
        of person: String,
        _ resource: Upstream.Resource,
        at upstream: Upstream
    ) async throws(UpstreamFailure) -> UpstreamAnswer {
        var headers = [OutboundHeader("Accept", "application/json")]
        if let key = resource.dataKey { headers.append(OutboundHeader("Authorization", "Bearer \(key.expose())")) }
        let url = resource.dataURL.replacing(
            Upstream.Resource.placeholder,
            with: PercentEncoding.component(person)
        )
        return try await send(
            OutboundRequest(
                .get,
                .url(url),
                headers: headers,
                timeout: upstream.timeout,
                maxResponseBytes: Self.dataLimit
            )
        )
    }

    private func send(_ request: OutboundRequest) async throws(UpstreamFailure) -> UpstreamAnswer {
        do throws(OutboundFailure) {
            let response = try await http.send(request)
            return UpstreamAnswer(status: response.status, body: response.body)
        } catch {
            switch error {
            case .connect, .timeout, .transport, .cancelled: throw .unavailable(cause: "\(error)")
            case .tooLarge, .redirected: throw .unusable(cause: "\(error)")
            }
        }
    }

    /// RFC 6749 §4.1.3 and §6.
    private static func fields(of grant: UpstreamGrant) -> [(String, String)] {
        switch grant {
        case .code(let code, let redirectURI, let verifier):
            var fields = [("grant_type", "authorization_code"), ("code", code.expose())]
            if let redirectURI { fields.append(("redirect_uri", redirectURI)) }
            if let verifier { fields.append(("code_verifier", verifier.expose())) }
            return fields
        case .refreshToken(let token, let scope):
            var fields = [("grant_type", "refresh_token"), ("refresh_token", token.expose())]
            if let scope { fields.append(("scope", scope)) }
            return fields
        }
    }
}
