import Hummingbird
import Operations
import TokenReading
import Tokens

/// Lets requests through to handlers, as the route declares: the one place where access tokens open routes.
///
/// A token that is bound to a key (RFC 9449) needs a proof of its key each time. It opens no route as a bearer token.
struct AccessGate: Sendable {
    private let reader: SignedInReader
    private let service: OperationService

    /// `service`: Keeps the budgets of sessions.
    init(_ reader: SignedInReader, service: OperationService) {
        self.reader = reader
        self.service = service
    }

    /// Returns the signed-in person, for a handler that needs them.
    ///
    /// A valid token of a sign-in too long ago gets 403 and not 401: apps would refresh it in vain and sign the person
    /// out.
    /// - Throws: ``LimitExceededError``, ``APIError/unauthorized(_:)``, ``APIError/invalidDPoPProof(_:isAccess:)``,
    ///   ``APIError/stepUpRequired``, ``StoreError``.
    func signedIn(_ request: Request, _ access: SessionAccess) async throws -> SignedIn {
        let who = try await reader.read(request, access.tokens, takingCookie: access.webSessions) { session in
            if let budget = access.budget { try service.admit(budget, of: session) }
        }
        if access.recency == .recent { try who.requireRecent() }
        return who
    }

    /// Returns the claims of the signed-in person's token, for a handler that answers from memory.
    ///
    /// - Throws: The errors of ``signedIn(_:_:)``.
    func claims(_ request: Request, _ access: SessionAccess) async throws -> AccessClaims {
        let claims = try await reader.claims(request, access.tokens)
        guard access.recency != .recent || reader.isRecent(claims.authenticatedAt) else {
            throw APIError.stepUpRequired
        }
        return claims
    }

    /// Returns the caller as somebody who may be signed in, for a handler to find out.
    func guest(_ request: Request, _ access: GuestAccess) -> Guest {
        Guest(
            request: request,
            tokens: access.tokens,
            webSessions: access.takesWebSessions ? access.tokens : nil,
            reader: reader
        )
    }
}

/// A caller of a route that also answers people who are not signed in.
///
/// An invalid token is ignored. Reading the token uses up the proof beside it: a handler reads it once a request.
struct Guest: Sendable {
    fileprivate let request: Request
    fileprivate let tokens: TokenDemand
    fileprivate let webSessions: TokenDemand?
    fileprivate let reader: SignedInReader

    /// Returns the signed-in person, for a handler that has its own answer to everybody else.
    ///
    /// - Throws: The errors of ``AccessGate/signedIn(_:_:)``.
    func verified() async throws -> SignedIn {
        try await reader.read(request, tokens, takingCookie: webSessions)
    }

    /// Returns the signed-in person, read again from the store.
    func signedIn() async throws -> SignedIn? {
        do { return try await reader.read(request, tokens, takingCookie: webSessions) } catch is APIError { return nil }
    }

    /// Returns the claims of the token; the store is asked only where its session may have been revoked.
    func claims() async throws -> AccessClaims? {
        do { return try await reader.claims(request, tokens) } catch is APIError { return nil }
    }
}
