import Operations

/// The callers that a route answers, as each route of the table declares them.
///
/// No route can be declared without it, and it decides what the handler receives. Only a handler behind
/// ``SessionAccess`` receives the signed-in person, and only one behind ``GuestAccess`` can ask for them.
/// ``AccessGate`` enforces the declaration.
package enum Access: Sendable, Equatable {
    case open(OpenAccess)
    case guest(GuestAccess)
    case session(SessionAccess)

    /// The proofs of which a request has to present at least one; empty for a route that answers every caller.
    package var needed: Set<Proof> {
        switch self {
        case .open(let access): access.needed
        case .guest(let access): access.needed
        case .session(let access): access.takesWebSessions ? [.accessToken, .webSession] : [.accessToken]
        }
    }

    /// The proofs that the route also reads; invalid ones are ignored.
    package var accepted: Set<Proof> {
        switch self {
        case .open(let access): access.accepted
        case .guest(let access): access.accepted
        // An access token that is bound to a key is accepted only with a proof of that key.
        case .session(let access): access.accepted.union([.dpop])
        }
    }

    /// The refresh tokens that the route accepts; `nil` if it accepts none.
    package var refreshTokens: TokenDemand? {
        switch self {
        case .open(let access): access.refreshTokens
        case .guest(let access): access.refreshTokens
        case .session: nil
        }
    }

    /// The access tokens that the route accepts; `nil` if it accepts none.
    package var tokens: TokenDemand? {
        switch self {
        case .open: nil
        case .guest(let access): access.takesTokens ? access.tokens : nil
        case .session(let access): access.tokens
        }
    }
}

/// The access tokens or refresh tokens that a route accepts.
package struct TokenDemand: Sendable, Equatable, Hashable {
    package let audience: TokenAudience
    package var clients = ClientClass.firstParty
    /// The scopes that a token with limited scopes must have; if empty, no such token is accepted.
    package var scopes: Set<String> = []

    /// Returns whether a token with these scopes suffices; `nil` is a token without limited scopes.
    func isMet(by granted: Set<String>?) -> Bool {
        guard let granted else { return true }
        return !scopes.isEmpty && scopes.isSubset(of: granted)
    }
}

/// The audience that a token must have (RFC 7519 §4.1.3).
package enum TokenAudience: String, Sendable, CaseIterable {
    /// The audience of any client of the config.
    case everyClient
    /// The audience of the wallet surface's client, whose devices are separate from those of the other clients.
    case wallet
}

/// The kind of client that a token was issued to.
package enum ClientClass: String, Sendable, CaseIterable {
    /// The operator's own clients, which are those of the config.
    case firstParty = "first-party"
    /// All other clients: those that the operator added or that registered themselves.
    case thirdParty = "third-party"
    /// Clients of both kinds, for routes that require scopes, which limit both kinds.
    case everybody = "first- and third-party"

    func includes(_ other: ClientClass) -> Bool { self == .everybody || self == other }
}

/// The access of a route that ignores access tokens, and so never knows who is signed in.
package struct OpenAccess: Sendable, Equatable {
    /// The proofs of which the request needs one.
    ///
    /// The handler checks it, because the proof is stored with the object of the request.
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

    /// Returns access for callers who present such a refresh token as one of `needed`.
    static func refresh(_ tokens: TokenDemand, shownAs needed: Proof..., accepting accepted: Proof...) -> OpenAccess {
        OpenAccess(needed: Set(needed), accepted: Set(accepted), refreshTokens: tokens)
    }
}

/// The access of a route that can know who is signed in, and also answers other callers.
///
/// An invalid token is ignored, because apps send expired ones with every request.
package struct GuestAccess: Sendable, Equatable {
    /// The proofs of which the request needs one, as in ``OpenAccess/needed``.
    let needed: Set<Proof>
    let accepted: Set<Proof>
    let tokens: TokenDemand
    var refreshTokens: TokenDemand?

    /// Returns the same access, which also accepts such refresh tokens.
    func taking(refreshTokens demand: TokenDemand) -> GuestAccess {
        var access = self
        access.refreshTokens = demand
        return access
    }

    /// Whether the cookie of a browser's session is accepted.
    var takesWebSessions: Bool { needed.union(accepted).contains(.webSession) }

    /// Whether an access token is accepted.
    var takesTokens: Bool { needed.union(accepted).contains(.accessToken) }

    /// Returns access for every caller; only the cookie of a browser's session tells who is signed in.
    static func browser(accepting accepted: Proof...) -> GuestAccess {
        GuestAccess(
            needed: [],
            accepted: Set(accepted).union([.webSession]),
            tokens: TokenDemand(audience: .everyClient)
        )
    }

    /// Returns access for callers who present one of `needed`, or for every caller if there is none.
    ///
    /// An access token is accepted.
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

    /// Returns access for every caller; an access token is accepted, and one with limited scopes if `scope` is among
    /// them.
    static func guest(limitedTo scope: String) -> GuestAccess {
        GuestAccess(
            needed: [],
            accepted: [.accessToken, .dpop],
            tokens: TokenDemand(audience: .everyClient, scopes: [scope])
        )
    }

    /// Returns access for callers who present an access token or one of `others`.
    static func token(_ audience: TokenAudience = .everyClient, or others: Proof...) -> GuestAccess {
        GuestAccess(
            needed: Set(others).union([.accessToken]),
            accepted: [.dpop],
            tokens: TokenDemand(audience: audience)
        )
    }
}

/// The access of a route for signed-in people, which answers 401 to all other callers.
package struct SessionAccess: Sendable, Equatable {
    let tokens: TokenDemand
    package let recency: Recency
    /// The limit by which the requests of one session are counted, before the database is read.
    let budget: Limit?
    /// The proofs that the route also reads, as in ``OpenAccess/accepted``.
    let accepted: Set<Proof>
    /// The clients whose browser sessions are accepted by their cookie; this server's own pages sign in that way.
    private(set) var webSessions: TokenDemand?
    var takesWebSessions: Bool { webSessions != nil }

    /// The same access, which also accepts a browser's session of the same clients.
    var orWebSession: SessionAccess { alsoTaking(tokens) }

    /// The same access, which also accepts a browser's session of any client of the config.
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

    /// Returns access for callers who present a token with those scopes, of whichever client.
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
        /// At most ten minutes; otherwise 403 `step_up_required`.
        case recent
        /// At most ten minutes if the request changes something; the handler decides and calls
        /// ``SignedIn/requireRecent()``.
        case recentToChange
    }
}
