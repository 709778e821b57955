import Crypto
import HTTPTypes
import Hummingbird
package import Kernel
package import OAuth
import Operations

/// Has a person sign in before the page behind a link goes on, by the sign-in page of authorization requests: with a passkey
/// or a face, with or without scripts.
///
/// The page is a client of its own server's there, as that of devices is. What it wants is the browser's session that the
/// sign-in leaves; the code that it gets in the end nobody can redeem.
package struct LandingSignIn: Sendable {
    /// No registered client has such an id: it begins with a slash.
    package static let clientID = "/go"
    /// A sealed ticket: 12 bytes, 43 and 16, in base64url.
    private static let sealedLength = 95

    private static let purpose = Array("vestibule/1/landing/ticket".utf8)

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

    /// Sends the browser to sign in, and back to the page of that ticket; `wanting`: by what, if not by either.
    func begin(
        _ ticket: String,
        _ request: Request,
        wanting: ContextClassReference?
    ) async throws -> Response {
        let cookie = cookies.secret(request) ?? facts.newSecret()
        let id = try await service.begin(order(try seal(ticket, for: cookie), wanting), browser: cookie)
        var response = Response(
            status: .seeOther,
            headers: [.location: "/oauth/sign-in/\(id.expose())", .cacheControl: "no-store"]
        )
        cookies.set(cookie, on: &response)
        return response
    }

    /// The ticket that a browser brings back from there, if it was sealed for that browser.
    func ticket(sealedAs text: String, _ request: Request) -> String? {
        guard text.utf8.count == Self.sealedLength, let cookie = cookies.secret(request),
            let bytes = Base64URL.decode(text), let box = try? AES.GCM.SealedBox(combined: bytes),
            let opened = try? AES.GCM.open(box, using: Self.key(cookie), authenticating: Self.purpose)
        else { return nil }
        return String(decoding: opened, as: UTF8.self)
    }

    /// The address that the browser is sent back to stands in the rows of the interaction and of its code, and a ticket
    /// stands in no row: it is sealed (AES-256-GCM) under a key made of the browser's own cookie, of which the store has a
    /// digest alone.
    private func seal(_ ticket: String, for browser: Secret) throws -> String {
        let nonce = try AES.GCM.Nonce(data: facts.randomBytes(12))
        let text = Array(ticket.utf8)
        let box = try AES.GCM.seal(text, using: Self.key(browser), nonce: nonce, authenticating: Self.purpose)
        return Base64URL.encode(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// RFC 5869: what is random enough needs no salt (§3.1).
    private static func key(_ browser: Secret) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(browser.expose().utf8)),
            info: purpose,
            outputByteCount: 32
        )
    }

    private func order(_ sealed: String, _ wanting: ContextClassReference?) -> AuthorizationRequest {
        AuthorizationRequest(
            clientID: Self.clientID,
            redirectURI: "\(publicURL)/go/\(sealed)",
            namesRedirectURI: true,
            responseMode: .query,
            state: nil,
            scopes: ScopeSet([]),
            resources: [],
            // The verifier is thrown away, so that the code is worth nothing to anybody.
            codeChallenge: Digest256(sha256: facts.newSecret().expose()),
            nonce: nil,
            // A session that there is did not prove the account, or nobody would be sent here.
            prompts: [.login],
            maxAge: nil,
            contextClass: wanting,
            isContextClassEssential: wanting != nil,
            loginHint: nil,
            hintedAccount: nil,
            proofKey: nil
        )
    }
}
