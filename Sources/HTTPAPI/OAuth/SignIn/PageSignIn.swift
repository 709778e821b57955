import Crypto
import HTTPTypes
import Hummingbird
import Kernel
package import OAuth
import Web

/// Has a person sign in for a page of this server's own, by the sign-in page of authorization requests: with a passkey or a
/// face, with or without scripts.
///
/// The page is a client of its own server's there. What it wants is not the code that it gets in the end, which nobody can
/// redeem, but the browser's session that the sign-in leaves.
package struct PageSignIn: Sendable {
    /// A page, by the id of the client that it is: no registered client's begins with a slash.
    package enum Page: String, Sendable, CaseIterable {
        /// Lets a device in.
        case device = "/device"
        /// Goes on behind the link of an operation.
        case landing = "/go"

        /// The client: the directory of clients has to hold it; `site`: what the site calls itself.
        ///
        /// It has no grant and no address, so that neither `/oauth/authorize` nor the token endpoint does anything for it.
        package func client(site: String) -> OAuthClient {
            OAuthClient(
                id: rawValue,
                name: site,
                origin: .config,
                authentication: .none,
                grants: [],
                scopes: ScopeSet([]),
                audience: rawValue
            )
        }

        /// What is sealed for the one page opens at no other.
        fileprivate var purpose: [UInt8] {
            switch self {
            case .device: Array("vestibule/1/device/user-code".utf8)
            case .landing: Array("vestibule/1/landing/ticket".utf8)
            }
        }
    }

    private let page: Page
    private let service: AuthorizationService
    private let cookies: CompanionCookies
    private let publicURL: String
    private let environment: Environment

    /// `publicURL`: without a trailing slash.
    package init(_ page: Page, service: AuthorizationService, publicURL: String, environment: Environment) {
        self.page = page
        self.service = service
        cookies = .interaction(isSecure: publicURL.hasPrefix("https://"))
        self.publicURL = publicURL
        self.environment = environment
    }

    /// Sends the browser to sign in, and back to the page.
    ///
    /// - Parameters:
    ///   - secret: What the page's address brings back, sealed; none where it is `nil`.
    ///   - request: The browser's.
    ///   - texts: In whose language it goes on; in the browser's own where it is `nil`.
    ///   - wanting: By what the person signs in, if not by either.
    ///   - address: Where the page is below the public URL, for what was sealed.
    /// - Returns: A redirect to the sign-in page, with the cookie of the interaction.
    /// - Throws: `StoreError`.
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
            returningTo: publicURL + address(sealed),
            wanting: wanting,
            in: texts?.language
        )
        let id = try await service.begin(authorization, browser: cookie)
        // From `/device` it is named wherever a proxy has mounted the pages.
        var response = Response.seeOther((page == .device ? "" : "/") + "oauth/sign-in/\(id.expose())")
        cookies.set(cookie, on: &response)
        if let texts { LanguageCookie.keep(texts, of: id, isSecure: cookies.isSecure, for: request, on: &response) }
        return response
    }

    /// What was sealed for the browser that brings it back; `nil` for everything else.
    func opened(_ text: String, _ request: Request) -> String? {
        guard let cookie = cookies.secret(request), let bytes = Base64URL.decode(text),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let opened = try? AES.GCM.open(box, using: key(cookie), authenticating: page.purpose)
        else { return nil }
        return String(decoding: opened, as: UTF8.self)
    }

    /// Encrypts a ticket or a user code (RFC 8628 §5.1 has short ones) with AES-256-GCM.
    ///
    /// The address that the browser is sent back to is kept in the rows of the interaction and of its code. The key is
    /// derived from the browser's own cookie, of which the store has only a digest: no reader of the rows can use it.
    private func seal(_ secret: String, for browser: Secret) throws -> String {
        let nonce = try AES.GCM.Nonce(data: environment.randomBytes(12))
        let text = Array(secret.utf8)
        let box = try AES.GCM.seal(text, using: key(browser), nonce: nonce, authenticating: page.purpose)
        return Base64URL.encode(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// RFC 5869: what is random enough needs no salt (§3.1).
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
            // The verifier is thrown away, so that the code is worth nothing to anybody.
            codeChallenge: Digest256(sha256: environment.newSecret().expose()),
            nonce: nil,
            // Who lets a device in proves who they are at that moment. A session that does not prove the account is no help.
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
