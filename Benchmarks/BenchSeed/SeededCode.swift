import AsyncHTTPClient
import Foundation
import NIOHTTP1
import SoftwareAuthenticator

/// A client of the authorization server, and the forms that it sends.
struct SeededClient: Sendable {
    static let tokenPath = "/oauth/token"
    static let introspectionPath = "/oauth/introspect"

    let id: String
    let secret: String?
    let redirectURI: String

    /// The authorization request for a code (RFC 6749 §4.1.1, RFC 7636 §4.3).
    ///
    /// Where somebody would have to be asked, it wants an error and no page (OpenID Connect Core §3.1.2.1).
    func authorizationPath(_ verifier: CodeVerifier) -> String {
        "/oauth/authorize?response_type=code&prompt=none&scope=openid%20offline_access&client_id=\(Self.encode(id))"
            + "&redirect_uri=\(Self.encode(redirectURI))"
            + "&code_challenge=\(verifier.challenge)&code_challenge_method=S256"
    }

    /// RFC 6749 §4.1.3.
    func redemption(of code: SeededCode) -> String {
        form("grant_type=authorization_code&code=\(code.text)&code_verifier=\(code.verifier.text)")
            + "&redirect_uri=\(Self.encode(redirectURI))"
    }

    /// RFC 6749 §6.
    func refresh(by token: String) -> String { form("grant_type=refresh_token&refresh_token=\(token)") }

    /// RFC 7662 §2.1.
    func question(about token: String) -> String { form("token=\(token)") }

    /// With who the client is.
    ///
    /// Codes, verifiers, tokens and secrets have no character that a form would write otherwise.
    private func form(_ fields: String) -> String {
        "\(fields)&client_id=\(Self.encode(id))" + (secret.map { "&client_secret=\($0)" } ?? "")
    }

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

/// A code, and what it was asked for with.
struct SeededCode: Sendable {
    let text: String
    let verifier: CodeVerifier
}

/// The tokens of an answer (RFC 6749 §5.1).
struct SeededTokens: Decodable, Sendable {
    let access: String
    let refresh: String

    enum CodingKeys: String, CodingKey {
        case access = "access_token"
        case refresh = "refresh_token"
    }
}

/// A browser that somebody is signed in with.
struct SeededBrowser: Sendable {
    private static let cookieName = "yapt.sid="

    /// As the header has it.
    private let cookie: String

    /// A browser in which somebody has just opened an account with a passkey.
    ///
    /// Nothing in the name needs escaping.
    static func signUp(
        _ name: String,
        at page: String,
        _ server: SeedServer,
        _ client: HTTPClient
    ) async throws -> SeededBrowser {
        let path = "/api/auth/register"
        let asked = Data(#"{"username":"\#(name)"}"#.utf8)
        let (options, begun) = try await server.post("\(path)/generate-options", asked, client)
        let (_, answer) = try SoftwareAuthenticator(origin: page).create(String(decoding: options, as: UTF8.self))
        let tied: HTTPHeaders = ["Cookie": try sessionCookie(in: begun)]
        let (_, signedIn) = try await server.post("\(path)/verify", Data(answer.utf8), headers: tied, client)
        return SeededBrowser(cookie: try sessionCookie(in: signedIn))
    }

    private static func sessionCookie(in headers: HTTPHeaders) throws -> String {
        guard let set = headers["Set-Cookie"].first(where: { $0.hasPrefix(cookieName) }),
            let pair = set.split(separator: ";").first
        else { throw SeedError(text: "an answer about a passkey set no session cookie") }
        return String(pair)
    }

    /// A new code of the client.
    func code(for party: SeededClient, _ server: SeedServer, _ client: HTTPClient) async throws -> SeededCode {
        let verifier = CodeVerifier()
        let address = try await server.redirect(
            of: party.authorizationPath(verifier),
            headers: ["Cookie": cookie],
            client
        )
        let answers = URLComponents(string: address)?.queryItems ?? []
        guard let code = answers.first(where: { $0.name == "code" })?.value else {
            throw SeedError(text: "an authorization request was answered without a code: \(address)")
        }
        return SeededCode(text: code, verifier: verifier)
    }
}
