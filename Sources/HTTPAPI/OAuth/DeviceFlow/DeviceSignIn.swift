import HTTPTypes
import Hummingbird
package import Kernel
package import OAuth
import Operations
import Web

/// Has a person sign in for the page of devices, by the sign-in page of authorization requests: with a passkey or a face,
/// with or without scripts.
///
/// The page is a client of its own server's there. What it wants is not the code that it gets in the end, which nobody can
/// redeem, but the browser's session that the sign-in leaves.
package struct DeviceSignIn: Sendable {
    /// No registered client has such an id: it begins with a slash.
    package static let clientID = "/device"

    private let service: AuthorizationService
    private let cookies: InteractionCookies
    private let publicURL: String
    private let facts: Facts

    /// `publicURL`: without a trailing slash.
    package init(service: AuthorizationService, cookies: InteractionCookies, publicURL: String, facts: Facts) {
        self.service = service
        self.cookies = cookies
        self.publicURL = publicURL
        self.facts = facts
    }

    /// The client that the page is: the directory of clients has to hold it.
    ///
    /// It has no grant and no address, so that neither `/oauth/authorize` nor the token endpoint does anything for it.
    /// `site`: what the site calls itself.
    package static func client(site: String) -> OAuthClient {
        OAuthClient(
            id: clientID,
            name: site,
            origin: .config,
            authentication: .none,
            grants: [],
            scopes: ScopeSet([]),
            audience: clientID
        )
    }

    /// Sends the browser to sign in, and back to the page with that code in its field.
    ///
    /// `texts`: in whose language it goes on; `wanting`: what the code's client requires, once that is known.
    func begin(
        _ code: UserCode?,
        _ request: Request,
        in texts: LocalizedStrings,
        wanting: RequiredProof = .faceOrPasskey
    ) async throws -> Response {
        let cookie = cookies.secret(request) ?? facts.newSecret()
        let carried = try code.map { try CarriedUserCode.seal($0, for: cookie, facts) }
        let id = try await service.begin(order(carried, texts.language, wanting), browser: cookie)
        var response = Response(
            status: .seeOther,
            headers: [.location: "oauth/sign-in/\(id.expose())", .cacheControl: "no-store"]
        )
        cookies.set(cookie, on: &response)
        cookies.keep(texts, of: id, for: request, on: &response)
        return response
    }

    /// The code that a browser brings back from there, if it is the one that was sent.
    func carried(by request: Request) -> UserCode? {
        guard let cookie = cookies.secret(request),
            let text = FormBody.field(CarriedUserCode.parameter, in: request.uri.query ?? "")
        else { return nil }
        return CarriedUserCode.open(text, by: cookie)
    }

    private func order(
        _ carried: String?,
        _ language: String,
        _ wanting: RequiredProof
    ) -> AuthorizationRequest {
        let query = (carried.map { [(CarriedUserCode.parameter, $0)] } ?? []) + [("ui_locales", language)]
        return AuthorizationRequest(
            clientID: Self.clientID,
            redirectURI: QueryText.add(query, to: "\(publicURL)/device"),
            namesRedirectURI: true,
            responseMode: .query,
            state: nil,
            scopes: ScopeSet([]),
            resources: [],
            // The verifier is thrown away, so that the code is worth nothing to anybody.
            codeChallenge: Digest256(sha256: facts.newSecret().expose()),
            nonce: nil,
            // Whoever lets a device in proves who they are at that moment, and not some days ago.
            prompts: [.login],
            maxAge: nil,
            contextClass: wanting.contextClass,
            isContextClassEssential: wanting.contextClass != nil,
            loginHint: nil,
            hintedAccount: nil,
            proofKey: nil,
            uiLocales: language
        )
    }
}
