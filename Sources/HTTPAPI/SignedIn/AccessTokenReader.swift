import HTTPTypes
import Hummingbird
import Kernel
import TokenReading
import Tokens

/// Reads the access token of a request: a bearer token (RFC 6750), or one with a DPoP proof (RFC 9449 §7.1).
struct AccessTokenReader: Sendable {
    let verifier: TokenVerifier
    let clients: AcceptedClients
    let gate: DPoPGate
    let environment: Environment

    /// Returns the claims of a valid token that meets the demand.
    ///
    /// The DPoP proof beside the token is used up, so that this is called once per request. The session is not checked.
    /// Once it is known to be active, ``checkScopes(of:_:)`` has to be called.
    /// - Throws: ``APIError/unauthorized(_:)``; ``APIError/invalidDPoPProof(_:isAccess:)``.
    func claims(_ request: Request, _ demand: TokenDemand) throws(APIError) -> AccessClaims {
        guard let presented = PresentedToken(request) else { throw .unauthorized(.noToken) }
        switch presented.scheme {
        case .bearer: return try verified(presented.text, for: demand, by: nil)
        case .dpop:
            let proof = try gate.proof(request, accessToken: presented.text)
            let claims = try verified(presented.text, for: demand, by: proof.key)
            try proof.use()
            return claims
        }
    }

    /// Checks the scopes of a valid token against the demand (RFC 6750 §3.1).
    ///
    /// Called once the session is known to be active: a revoked token is `invalid_token`, whatever its scopes.
    /// - Throws: ``APIError/insufficientScope(_:isBound:)``.
    func checkScopes(of claims: AccessClaims, _ demand: TokenDemand) throws(APIError) {
        guard !demand.isMet(by: claims.scopes) else { return }
        throw .insufficientScope(demand.scopes.sorted().joined(separator: " "), isBound: claims.confirmation != nil)
    }

    /// Returns whether the demand accepts sessions of that client.
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
        // A route that requires no scopes accepts no token with limited scopes.
        guard !demand.scopes.isEmpty || demand.isMet(by: claims.scopes) else { throw .unauthorized(.badToken) }
        return claims
    }

    private func read(_ token: String, for demand: TokenDemand, by key: KeyID?) throws(TokenError) -> AccessClaims {
        switch demand.clients {
        case .firstParty, .thirdParty:
            let audiences = clients.audiences(demand.audience)
            return try verifier.verifyAccess(token, audiences: audiences, now: environment.now(), proven: key)
        case .everybody:
            // The caller checks afterwards whether the token is for the client that it names.
            let claims = try verifier.inspectAccess(token, now: environment.now())
            guard claims.confirmation == key else { throw .binding }
            return claims
        }
    }
}

/// A token in the header Authorization, with its scheme (RFC 9110 §11.6.2).
struct PresentedToken {
    enum Scheme {
        case bearer
        case dpop
    }

    let scheme: Scheme
    let text: String

    /// Returns `nil` if the request has no token in one of the two schemes.
    init?(_ request: Request) {
        guard let header = request.headers[.authorization], let space = header.firstIndex(of: " ") else { return nil }
        switch header[..<space].lowercased() {
        case "bearer": scheme = .bearer
        case "dpop": scheme = .dpop
        default: return nil
        }
        text = String(header[header.index(after: space)...])
    }

    /// Returns the bearer token in the request's header Authorization (RFC 6750 §2.1).
    static func bearer(_ request: Request) -> String? {
        guard let presented = PresentedToken(request), presented.scheme == .bearer else { return nil }
        return presented.text
    }
}
