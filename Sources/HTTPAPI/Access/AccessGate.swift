import Hummingbird
package import Operations
import TokenReading
import Tokens

/// Lets requests through to handlers, as the route declares: the one place where access tokens open routes.
///
/// A token that is bound to a key (RFC 9449) opens none as a bearer token, and each with a proof of its key.
package struct AccessGate: Sendable {
    private let reader: SignedInReader
    private let service: OperationService

    /// `service`: keeps the budgets of sessions.
    package init(_ reader: SignedInReader, service: OperationService) {
        self.reader = reader
        self.service = service
    }

    /// Who is signed in, for a handler that is to know them.
    ///
    /// - Throws: ``LimitExceededError``; ``APIError/unauthorized(_:)``, ``APIError/invalidDPoPProof(_:isAccess:)``;
    ///   ``APIError/stepUpRequired``, and not 401, for a token that is good but whose sign-in is too long ago: apps would
    ///   refresh it, in vain, and sign the person out. ``StoreError``.
    func signedIn(_ request: Request, _ access: SessionAccess) async throws -> SignedIn {
        let who = try await reader.read(request, access.tokens, takingCookie: access.webSessions) { session in
            if let budget = access.budget { try service.admit(budget, of: session) }
        }
        if access.recency == .recent { try who.requireRecent() }
        return who
    }

    /// What the token of whoever is signed in says, for a handler that answers from memory.
    ///
    /// - Throws: as ``signedIn(_:_:)``.
    func claims(_ request: Request, _ access: SessionAccess) async throws -> AccessClaims {
        let claims = try await reader.claims(request, access.tokens)
        guard access.recency != .recent || reader.isRecent(claims.authenticatedAt) else {
            throw APIError.stepUpRequired
        }
        return claims
    }

    /// Somebody of whom a handler may ask whether they are signed in.
    func guest(_ request: Request, _ access: GuestAccess) -> Guest {
        Guest(
            request: request,
            tokens: access.tokens,
            webSessions: access.takesWebSessions ? access.tokens : nil,
            reader: reader
        )
    }
}

/// Whoever comes to a route that is not for the signed-in alone.
///
/// A token that is no good is as good as none. It is looked at when somebody asks, which uses up the proof beside it: to be
/// asked once a request.
struct Guest: Sendable {
    fileprivate let request: Request
    fileprivate let tokens: TokenDemand
    fileprivate let webSessions: TokenDemand?
    fileprivate let reader: SignedInReader

    /// Who is signed in, for a handler that tells others in words of its own why they are not.
    ///
    /// - Throws: as ``AccessGate/signedIn(_:_:)``.
    func verified() async throws -> SignedIn {
        try await reader.read(request, tokens, takingCookie: webSessions)
    }

    /// Who is signed in, read again from the store.
    func signedIn() async throws -> SignedIn? {
        do { return try await reader.read(request, tokens, takingCookie: webSessions) } catch is APIError { return nil }
    }

    /// What the token says; the store is asked only where its session may have been revoked.
    func claims() async throws -> AccessClaims? {
        do { return try await reader.claims(request, tokens) } catch is APIError { return nil }
    }
}
