import Operations

/// The callers that a route answers: each route of the table declares them.
///
/// A route can't be declared without it, and it decides what the handler receives. Only a handler behind
/// ``SessionAccess`` receives the signed-in person, and only one behind ``GuestAccess`` can ask for them.
/// ``AccessGate`` enforces it.
package enum Access: Sendable, Equatable {
    case open(OpenAccess)
    case guest(GuestAccess)
    case session(SessionAccess)

    /// The proofs of which a request has to present one; empty where everybody is answered.
    package var needed: Set<Proof> {
        switch self {
        case .open(let access): access.needed
        case .guest(let access): access.needed
        case .session(let access): access.takesWebSessions ? [.accessToken, .webSession] : [.accessToken]
        }
    }

    /// The proofs that count where they are valid; an invalid one is ignored.
    package var accepted: Set<Proof> {
        switch self {
        case .open(let access): access.accepted
        case .guest(let access): access.accepted
        // An access token that is bound to a key counts only with a proof of that key.
        case .session(let access): access.accepted.union([.dpop])
        }
    }

    /// The refresh tokens that count, by the client of their session; `nil` where none does.
    package var refreshTokens: TokenDemand? {
        switch self {
        case .open(let access): access.refreshTokens
        case .guest(let access): access.refreshTokens
        case .session: nil
        }
    }

    /// The access tokens that count; `nil` where none does.
    package var tokens: TokenDemand? {
        switch self {
        case .open: nil
        case .guest(let access): access.tokens
        case .session(let access): access.tokens
        }
    }
}

/// The access tokens, or the refresh tokens, that a route takes.
package struct TokenDemand: Sendable, Equatable, Hashable {
    package let audience: TokenAudience
    package var clients = ClientClass.firstParty
    /// The scopes that a token limited to scopes has to grant; where it is empty no limited token counts.
    package var scopes: Set<String> = []

    /// Returns whether a token limited to these scopes suffices; `nil` is an unlimited token.
    func isMet(by granted: Set<String>?) -> Bool {
        guard let granted else { return true }
        return !scopes.isEmpty && scopes.isSubset(of: granted)
    }
}

/// The audience that a token must have (RFC 7519 §4.1.3).
package enum TokenAudience: String, Sendable, CaseIterable {
    /// Any client of the config.
    case everyClient
    /// The client of the wallet's surface: its devices are separate from those of the other clients.
    case wallet
}

/// The kind of client that a token was issued to.
package enum ClientClass: String, Sendable, CaseIterable {
    /// The operator's own clients: those of the config.
    case firstParty = "first-party"
    /// All other clients: added by the operator, or registered by themselves.
    case thirdParty = "third-party"
    /// Clients of either kind: for routes that ask for scopes, which limit both.
    case everybody = "first- and third-party"

    func includes(_ other: ClientClass) -> Bool { self == .everybody || self == other }
}

/// A route that does not ask who is signed in: it ignores access tokens.
package struct OpenAccess: Sendable, Equatable {
    /// The proofs of which one is needed; the handler checks this, for they are stored beside what the request is
    /// about.
    let needed: Set<Proof>
    let accepted: Set<Proof>
    var refreshTokens: TokenDemand?

    static let everybody = OpenAccess(needed: [], accepted: [])

    static func everybody(accepting accepted: Proof...) -> OpenAccess {
        OpenAccess(needed: [], accepted: Set(accepted))
    }

    static func holder(of needed: Proof..., accepting accepted: Proof...) -> OpenAccess {
        OpenAccess(needed: Set(needed), accepted: Set(accepted))
    }

    /// Returns access for the holder of such a refresh token, presented as one of `needed`.
    static func refresh(_ tokens: TokenDemand, shownAs needed: Proof..., accepting accepted: Proof...) -> OpenAccess {
        OpenAccess(needed: Set(needed), accepted: Set(accepted), refreshTokens: tokens)
    }
}

/// A route that asks who is signed in, and answers others as well.
///
/// An invalid token is ignored: apps send stale ones everywhere.
package struct GuestAccess: Sendable, Equatable {
    /// The proofs of which one is needed, as in ``OpenAccess/needed``.
    let needed: Set<Proof>
    let accepted: Set<Proof>
    let tokens: TokenDemand
    var refreshTokens: TokenDemand?

    /// Returns the same access, with such refresh tokens counting too.
    func taking(refreshTokens demand: TokenDemand) -> GuestAccess {
        var access = self
        access.refreshTokens = demand
        return access
    }

    /// Whether a browser's session counts, by its cookie.
    var takesWebSessions: Bool { needed.union(accepted).contains(.webSession) }

    /// Returns access for callers who present one of `needed`, or for everybody where it is empty; an access token
    /// counts.
    static func guest(
        _ audience: TokenAudience = .everyClient,
        with needed: Proof...,
        accepting accepted: Proof...
    ) -> GuestAccess {
        GuestAccess(
            needed: Set(needed),
            accepted: Set(accepted).union([.accessToken, .dpop]),
            tokens: TokenDemand(audience: audience)
        )
    }

    /// Returns access for everybody; an access token counts, and a limited one where `scope` is among its scopes.
    static func guest(limitedTo scope: String) -> GuestAccess {
        GuestAccess(
            needed: [],
            accepted: [.accessToken, .dpop],
            tokens: TokenDemand(audience: .everyClient, scopes: [scope])
        )
    }

    /// Returns access for callers who present an access token, or one of `others` instead.
    static func token(_ audience: TokenAudience = .everyClient, or others: Proof...) -> GuestAccess {
        GuestAccess(
            needed: Set(others).union([.accessToken]),
            accepted: [.dpop],
            tokens: TokenDemand(audience: audience)
        )
    }
}

/// A route for signed-in people: 401 for everybody else.
package struct SessionAccess: Sendable, Equatable {
    let tokens: TokenDemand
    package let recency: Recency
    /// The limit that each request takes from its session's budget, before the store is asked.
    let budget: Limit?
    /// The proofs that count where they are valid, as in ``OpenAccess/accepted``.
    let accepted: Set<Proof>
    /// The clients whose browser sessions count as well, by their cookie: this server's pages sign in so.
    private(set) var webSessions: TokenDemand?
    var takesWebSessions: Bool { webSessions != nil }

    /// The same access, with a browser's session counting too.
    var orWebSession: SessionAccess { alsoTaking(tokens) }

    /// The same access, with a browser's session counting too, whichever client of the config it began with.
    var orAnyWebSession: SessionAccess { alsoTaking(TokenDemand(audience: .everyClient)) }

    private func alsoTaking(_ demand: TokenDemand) -> SessionAccess {
        var access = self
        access.webSessions = demand
        return access
    }

    static let session = Self.session(.everyClient)

    static func session(
        _ audience: TokenAudience,
        _ recency: Recency = .any,
        spending budget: Limit? = nil,
        accepting accepted: Proof...
    ) -> SessionAccess {
        SessionAccess(
            tokens: TokenDemand(audience: audience),
            recency: recency,
            budget: budget,
            accepted: Set(accepted)
        )
    }

    /// Returns access for callers who present a token with those scopes, whichever client it was issued to.
    static func scoped(_ scopes: String...) -> SessionAccess {
        SessionAccess(
            tokens: TokenDemand(audience: .everyClient, clients: .everybody, scopes: Set(scopes)),
            recency: .any,
            budget: nil,
            accepted: []
        )
    }

    /// The longest time since the person last authenticated (`auth_time`).
    package enum Recency: String, Sendable, CaseIterable {
        case any
        /// At most ten minutes, else 403 `step_up_required`.
        case recent
        /// At most ten minutes where the request changes something, which the handler finds out:
        /// ``SignedIn/requireRecent()``.
        case recentToChange
    }
}
