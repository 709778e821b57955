import Crypto
import HTTPTypes
import Hummingbird
import Kernel
package import OAuth
import Web

/// Signs a person in for one of this server's own pages, through the sign-in page of authorization requests.
///
/// The person signs in with or without scripts. The page acts as a client of its own server, and needs
/// only the browser session of the sign-in. Nobody can redeem the authorization code at the end.
package struct PageSignIn: Sendable {
    /// A page with its client id, which begins with a slash, unlike those of registered clients.
    package enum Page: String, Sendable, CaseIterable {
        /// The page that allows a device.
        case device = "/device"
        /// The landing page of an operation's link.
        case landing = "/go"
        /// The site itself, where any way to sign in is enough.
        case site = "/login.html"
        /// The account centre, where any way to sign in is enough: it asks for more where a change needs it.
        case account = "/account"

        /// Returns the client of the page, which the client directory has to contain.
        ///
        /// It has no grant and no redirect URI, so that `/oauth/authorize` and the token endpoint do nothing for it.
        /// `site` is the site's display name.
        package func client(site: String) -> OAuthClient {
            OAuthClient(
                id: rawValue,
                name: site,
                origin: .config,
                authentication: .none,
                access: OAuthClient.Access(grants: [], scopes: ScopeSet([]), audience: rawValue),
                authorization: OAuthClient.AuthorizationRules(requires: requires)
            )
        }

        private var requires: RequiredProof {
            switch self {
            case .device, .landing: .faceOrPasskey
            case .site, .account: .any
            }
        }

        /// The purpose of the key: a secret encrypted for one page cannot be decrypted for another.
        fileprivate var purpose: [UInt8] {
            switch self {
            case .device: Array("vestibule/1/device/user-code".utf8)
            case .landing: Array("vestibule/1/landing/ticket".utf8)
            case .site: Array("vestibule/1/site".utf8)
            case .account: Array("vestibule/1/account".utf8)
            }
        }
    }

    let page: Page
    let service: AuthorizationService
    let server: ServerConfiguration
    let environment: Environment

    private var cookies: CompanionCookies { server.interactionCookie }

    /// Sends the browser to sign in, and back to the page.
    ///
    /// - Parameters:
    ///   - secret: The secret that the page's address carries, encrypted; `nil` for none.
    ///   - request: The browser's request.
    ///   - texts: The language of the sign-in; `nil` for the browser's preferred one.
    ///   - wanting: The required way to sign in; `nil` for either.
    ///   - address: Returns the page's address below the public URL, with the encrypted secret.
    /// - Returns: The redirect to the sign-in page.
    /// - Throws: ``StoreError``, and the errors of the encryption.
    func begin(
        carrying secret: String?,
        _ request: Request,
        in texts: LocalizedStrings? = nil,
        wanting: ContextClassReference?,
        address: (String?) -> String
    ) async throws -> Response {
        let cookie = cookies.secret(request) ?? environment.newSecret()
        let sealed = try secret.map { try seal($0, for: cookie) }
        let authorization = authorizationRequest(
            returningTo: server.publicURL + address(sealed),
            wanting: wanting,
            in: texts?.language
        )
        let id = try await service.begin(authorization, browser: cookie)
        var response = Response.seeOther(start(for: request) + "oauth/sign-in/\(id.expose())")
        cookies.set(cookie, on: &response)
        if let texts { LanguageCookie.keep(texts, of: id, isSecure: cookies.isSecure, for: request, on: &response) }
        return response
    }

    /// Returns the beginning of an address that is resolved against the request's.
    ///
    /// A relative address from a page of the site works behind a proxy that mounts the pages elsewhere.
    private func start(for request: Request) -> String {
        guard page != .landing else { return "/" }
        return String(repeating: "../", count: max(0, request.uri.path.split(separator: "/").count - 1))
    }

    /// Returns the secret that was encrypted for this browser; `nil` for any other text.
    func opened(_ text: String, _ request: Request) -> String? {
        guard let cookie = cookies.secret(request), let bytes = Base64URL.decode(text),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let opened = try? AES.GCM.open(box, using: key(cookie), authenticating: page.purpose)
        else { return nil }
        return String(decoding: opened, as: UTF8.self)
    }

    /// Encrypts the secret (AES-256-GCM) under a key derived from the browser's own cookie.
    ///
    /// The interaction and its code are stored with the return address. Rows must contain no ticket and no user code
    /// (RFC 8628 §5.1 has short ones) in the clear. The database has only a digest of the cookie. So a reader of the
    /// rows cannot decrypt the secret, and no other browser can use it.
    private func seal(_ secret: String, for browser: Secret) throws -> String {
        let nonce = try AES.GCM.Nonce(data: environment.randomBytes(12))
        let text = Array(secret.utf8)
        let box = try AES.GCM.seal(text, using: key(browser), nonce: nonce, authenticating: page.purpose)
        return Base64URL.encode(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// RFC 5869 §3.1: a random input key needs no salt.
    private func key(_ browser: Secret) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(browser.expose().utf8)),
            info: page.purpose,
            outputByteCount: 32
        )
    }

    private func authorizationRequest(
        returningTo address: String,
        wanting: ContextClassReference?,
        in language: String?
    ) -> AuthorizationRequest {
        AuthorizationRequest(
            clientID: page.rawValue,
            redirectURI: address,
            namesRedirectURI: true,
            responseMode: .query,
            state: nil,
            scopes: ScopeSet([]),
            resources: [],
            // The verifier is discarded, so that the code cannot be redeemed.
            codeChallenge: Digest256(sha256: environment.newSecret().expose()),
            nonce: nil,
            // The person has to authenticate now: an existing session does not suffice.
            prompts: [.login],
            maxAge: nil,
            contextClass: wanting,
            isContextClassEssential: wanting != nil,
            loginHint: nil,
            hintedAccount: nil,
            proofKey: nil,
            uiLocales: language
        )
    }
}
