import HTTPTypes
import Hummingbird
import Kernel
import TokenReading
package import Tokens

/// Reads the access token of a request: a bearer token (RFC 6750), or one that is bound to a key, with a proof of that key
/// (RFC 9449 §7.1).
package struct AccessTokenReader: Sendable {
    private let verifier: TokenVerifier
    private let clients: AcceptedClients
    private let gate: DPoPGate
    private let environment: Environment

    package init(verifier: TokenVerifier, clients: AcceptedClients, gate: DPoPGate, environment: Environment) {
        self.verifier = verifier
        self.clients = clients
        self.gate = gate
        self.environment = environment
    }

    /// What the token says, if it is good, one of those demanded, and came as it has to.
    ///
    /// A proof beside it is used up: to be asked once a request.
    /// Whether its session stands is not looked at, and ``checkScopes(of:_:)`` is for behind that.
    /// - Throws: ``APIError/unauthorized(_:)``; ``APIError/invalidDPoPProof(_:isAccess:)``.
    func claims(_ request: Request, _ demand: TokenDemand) throws(APIError) -> AccessClaims {
        guard let shown = PresentedToken(request) else { throw .unauthorized(.noToken) }
        switch shown.scheme {
        case .bearer: return try verified(shown.text, for: demand, by: nil)
        case .dpop:
            let proof = try gate.proof(request, accessToken: shown.text)
            let claims = try verified(shown.text, for: demand, by: proof.key)
            try proof.use()
            return claims
        }
    }

    /// Holds what a good token is limited to against what is demanded (RFC 6750 §3.1).
    ///
    /// Behind whether its session stands: one that was revoked is `invalid_token`, whatever it was good for.
    /// - Throws: ``APIError/insufficientScope(_:isBound:)``.
    func checkScopes(of claims: AccessClaims, _ demand: TokenDemand) throws(APIError) {
        guard !demand.isMet(by: claims.scopes) else { return }
        throw .insufficientScope(demand.scopes.sorted().joined(separator: " "), isBound: claims.confirmation != nil)
    }

    /// Whether sessions of that client count where such tokens do.
    func takes(client: String, _ demand: TokenDemand) -> Bool { clients.ids(demand).contains(client) }

    private func verified(_ token: String, for demand: TokenDemand, by key: KeyID?) throws(APIError) -> AccessClaims {
        let claims: AccessClaims
        do throws(TokenError) {
            claims = try read(token, for: demand, by: key)
        } catch {
            guard error == .binding else { throw .unauthorized(.badToken) }
            throw key == nil ? APIError.unauthorized(.boundToken) : .invalidDPoPProof(.otherKey, isAccess: true)
        }
        guard let found = clients.clientClass(of: claims), demand.clients.includes(found) else {
            throw .unauthorized(.badToken)
        }
        // A route that names no scope has no limited tokens at all.
        guard !demand.scopes.isEmpty || demand.isMet(by: claims.scopes) else { throw .unauthorized(.badToken) }
        return claims
    }

    private func read(_ token: String, for demand: TokenDemand, by key: KeyID?) throws(TokenError) -> AccessClaims {
        switch demand.clients {
        case .firstParty, .thirdParty:
            let audiences = clients.audiences(demand.audience)
            return try verifier.verifyAccess(token, audiences: audiences, now: environment.now(), proven: key)
        case .everybody:
            // Whether it is for the client that it names is asked right behind.
            let claims = try verifier.inspectAccess(token, now: environment.now())
            guard claims.confirmation == key else { throw .binding }
            return claims
        }
    }
}

/// A token in the header Authorization, with the scheme that it came in (RFC 9110 §11.6.2).
struct PresentedToken {
    enum Scheme {
        case bearer
        case dpop
    }

    let scheme: Scheme
    let text: String

    /// `nil` if the request has no token in one of the two schemes.
    init?(_ request: Request) {
        guard let header = request.headers[.authorization], let space = header.firstIndex(of: " ") else { return nil }
        switch header[..<space].lowercased() {
        case "bearer": scheme = .bearer
        case "dpop": scheme = .dpop
        default: return nil
        }
        text = String(header[header.index(after: space)...])
    }

    /// What stands behind `Bearer` in the request's header Authorization, if it does (RFC 6750 §2.1).
    static func bearer(_ request: Request) -> String? {
        guard let shown = PresentedToken(request), shown.scheme == .bearer else { return nil }
        return shown.text
    }
}
