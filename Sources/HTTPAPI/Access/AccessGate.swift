import Hummingbird
import Operations
import TokenReading
import Tokens

/// Admits requests to handlers as their route declares: only here do access tokens open routes.
///
/// A token that is bound to a key (RFC 9449) needs a proof of that key each time. As a bearer token it opens no route.
struct AccessGate: Sendable {
    private let reader: SignedInReader
    private let service: OperationService

    /// `service`: Counts the requests of each session.
    init(_ reader: SignedInReader, service: OperationService) {
        self.reader = reader
        self.service = service
    }

    /// Returns the signed-in person, for a handler that needs them.
    ///
    /// A valid token of a sign-in too long ago gets 403 instead of 401. After a 401, apps would refresh it to no
    /// effect, and then sign the person out.
    /// - Throws: ``LimitExceededError``, ``APIError/unauthorized(_:)``, ``APIError/invalidDPoPProof(_:isAccess:)``,
    ///   ``APIError/stepUpRequired``, ``StoreError``.
    func signedIn(_ request: Request, _ access: SessionAccess) async throws -> SignedIn {
        let who = try await reader.read(request, access.tokens, takingCookie: access.webSessions) { session in
            if let budget = access.budget { try await service.admit(budget, of: session) }
        }
        if access.recency == .recent { try who.requireRecent() }
        return who
    }

    /// Returns the claims of the signed-in person's token, for a handler that reads only the cache.
    ///
    /// - Throws: The errors of ``signedIn(_:_:)``.
    func claims(_ request: Request, _ access: SessionAccess) async throws -> AccessClaims {
        let claims = try await reader.claims(request, access.tokens)
        guard access.recency != .recent || reader.isRecent(claims.authenticatedAt) else {
            throw APIError.stepUpRequired
        }
        return claims
    }

    /// Returns a caller who may be signed in, which the handler can find out.
    func guest(_ request: Request, _ access: GuestAccess) -> Guest {
        Guest(
            request: request,
            tokens: access.tokens,
            webSessions: access.takesWebSessions ? access.tokens : nil,
            takesTokens: access.takesTokens,
            reader: reader
        )
    }
}

/// A caller of a route that also answers people who are not signed in.
///
/// An invalid token is ignored. Reading the token uses up its DPoP proof, so that a handler reads it once per request.
struct Guest: Sendable {
    fileprivate let request: Request
    fileprivate let tokens: TokenDemand
    fileprivate let webSessions: TokenDemand?
    fileprivate let takesTokens: Bool
    fileprivate let reader: SignedInReader

    /// Returns the signed-in person, for a handler that answers all other callers itself.
    ///
    /// - Throws: The errors of ``AccessGate/signedIn(_:_:)``.
    func verified() async throws -> SignedIn {
        try await reader.read(request, tokens, takingCookie: webSessions)
    }

    /// Returns the signed-in person, with session and account as they are in the database now.
    func signedIn() async throws -> SignedIn? {
        guard takesTokens else { return try await reader.browser(request, webSessions ?? tokens) }
        do { return try await reader.read(request, tokens, takingCookie: webSessions) } catch is APIError { return nil }
    }

    /// Returns the claims of the token; the database is read only if the token's session may have been revoked.
    func claims() async throws -> AccessClaims? {
        do { return try await reader.claims(request, tokens) } catch is APIError { return nil }
    }
}
