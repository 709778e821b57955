import AsyncHTTPClient
import Crypto
import Foundation
import NIOHTTP1
import Wire

/// A login that was begun.
struct SeededLogin: Sendable {
    let id: String
    /// The proof of its owner: the header with the binding cookie, or with the code verifier.
    let proof: HTTPHeaders
    /// The provider's id of its scan; `nil` for a login that was not opened.
    let scan: String?

    var pollPath: String { "/auth/biometric-login/poll/\(id)" }
    var eventsPath: String { "/auth/biometric-login/events/\(id)" }
    var cancelPath: String { "/auth/biometric-login/cancel/\(id)" }
}

/// A code verifier (RFC 7636 §4.1).
struct CodeVerifier: Sendable {
    let text = UUID().uuidString + UUID().uuidString

    /// Its challenge (§4.2, `S256`).
    var challenge: String { Data(SHA256.hash(data: Data(text.utf8))).base64URL }
}

extension SeedServer {
    /// Begins a login, and opens its landing page if that is wanted, so that its scan starts.
    ///
    /// `verifier`: what is to prove whose it is, its challenge being in the order; without one the cookie does.
    func begin(
        _ order: InitiateLoginRequest,
        provenBy verifier: CodeVerifier? = nil,
        opens: Bool,
        _ client: HTTPClient
    ) async throws -> SeededLogin {
        let (begun, headers) = try await post("/auth/biometric-login/initiate", JSONEncoder().encode(order), client)
        let answer = try JSONDecoder().decode(InitiateLoginResponse.self, from: begun)
        var scan: String?
        if opens {
            // The address is the public one; only its path is needed here.
            guard let ticket = answer.authUrl.split(separator: "/").last else {
                throw SeedError(text: "the answer to initiate holds no landing page")
            }
            let (_, opened) = try await post("/go/\(ticket)", nil, expecting: .seeOther, client)
            scan = Self.scan(at: opened.first(name: "Location"))
        }
        let cookie = headers.first(name: "Set-Cookie")?.split(separator: ";").first
        let proof: HTTPHeaders = verifier.map { ["X-Code-Verifier": $0.text] } ?? ["Cookie": String(cookie ?? "")]
        return SeededLogin(id: answer.operationId, proof: proof, scan: scan)
    }

    /// The scan whose page that is: the mock has its id in the query, like authID.
    private static func scan(at page: String?) -> String? {
        page.flatMap { URLComponents(string: $0) }?.queryItems?.first { $0.name == "t" }?.value
    }

    /// Polls until the tokens are there.
    func collect(_ login: SeededLogin, _ client: HTTPClient) async throws -> LoginTokens {
        for _ in 0..<600 {
            let body = try await get(login.pollPath, headers: login.proof, client)
            let answer = try JSONDecoder().decode(PollLoginResponse.self, from: body)
            if let tokens = answer.tokens { return tokens }
            guard answer.status == .pending else {
                throw SeedError(text: "a login ended without tokens: \(String(decoding: body, as: UTF8.self))")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw SeedError(text: "a login was not approved within a minute")
    }
}
