import HTTPTypes
package import Hummingbird
import Kernel
package import OAuth

/// The way of a browser to an upstream and back: what `/authorize` answers for the upstream's clients, and
/// `GET /oauth/upstream/callback`.
package struct UpstreamSignIn: Sendable {
    /// Writes an answer as a redirect, or as a page that posts it.
    package typealias AnswerWriter = @Sendable (AuthorizationAnswer) -> Response
    /// A page for a person, where no redirect can be trusted.
    package typealias PageWriter = @Sendable (OAuthError, Request) -> Response

    /// Where upstreams send browsers back to, below the public URL.
    package static let path = "/oauth/upstream/callback"

    private let desk: BrokerDesk
    private let upstreams: [String: Upstream]
    private let isSecure: Bool
    private let answer: AnswerWriter
    private let page: PageWriter

    /// `upstreams`: by their names; `isSecure`: whether the public URL is https.
    package init(
        desk: BrokerDesk,
        upstreams: [String: Upstream],
        isSecure: Bool,
        answer: @escaping AnswerWriter,
        page: @escaping PageWriter
    ) {
        self.desk = desk
        self.upstreams = upstreams
        self.isSecure = isSecure
        self.answer = answer
        self.page = page
    }

    package var routes: [Route] {
        [Route(.get, Self.path, access: .holder(of: .ticket), comeBack)]
    }

    /// The redirect to the upstream, for a request that was found good for its client.
    /// - Throws: ``OAuthError``.
    package func depart(_ order: AuthorizationRequest, _ client: OAuthClient, _ request: Request) throws -> Response {
        guard let upstream = client.upstream.flatMap({ upstreams[$0] }) else {
            throw OAuthError(.temporarilyUnavailable, "The upstream is switched off.")
        }
        let departure = try desk.depart(order, to: upstream, earlier: shown(request))
        var response = answer(departure.answer)
        response.set(
            OutgoingCookie(
                name: cookie,
                value: departure.browser,
                path: "/",
                maxAge: .seconds(600),
                isSecure: isSecure
            )
        )
        return response
    }

    /// `GET /oauth/upstream/callback`.
    @Sendable private func comeBack(_ request: Request, _ context: APIContext) async throws -> Response {
        do {
            let form = try OAuthForm(query: request)
            let back = UpstreamReturn(
                state: form["state"],
                code: form["code"],
                error: form["error"],
                issuer: form["iss"]
            )
            return answer(try desk.arrive(back, browser: shown(request)) { upstreams[$0] })
        } catch let refusal as ArrivalRefusal {
            return page(OAuthError(.invalidRequest, Self.sentence(for: refusal)), request)
        } catch let error as OAuthError {
            return page(error, request)
        }
    }

    /// Behind https under a name that no other site can set (RFC 6265bis §4.1.3.2).
    private var cookie: String { isSecure ? "__Host-vst_upstream" : "vst_upstream" }

    /// The cookie that the request brought, if it could be one of ours; of two none counts.
    private func shown(_ request: Request) -> Secret? {
        let values = IncomingCookies(request).values(of: cookie)
        guard values.count == 1, values[0].utf8.count == 43 else { return nil }
        return IncomingCookies.secret(values[0])
    }

    private static func sentence(for refusal: ArrivalRefusal) -> String {
        switch refusal {
        case .over: "This sign-in is over, or was finished already. Begin again in the app."
        case .otherBrowser: "This sign-in began in another browser. Finish it there, or begin again in the app."
        case .otherIssuer, .malformed: "The sign-in service did not answer as it should. Begin again in the app."
        }
    }
}
