import Operations

/// Who a route answers: what each route of the table declares.
///
/// There is no route without it, and it decides what the handler is given: only one behind ``SessionAccess`` is handed
/// who is signed in, and only one behind ``GuestAccess`` can ask. ``AccessGate`` makes it so.
package enum Access: Sendable, Equatable {
    case open(OpenAccess)
    case guest(GuestAccess)
    case session(SessionAccess)

    /// One of these has to be shown; empty where everybody is answered.
    package var needed: Set<Proof> {
        switch self {
        case .open(let access): access.needed
        case .guest(let access): access.needed
        case .session(let access): access.takesWebSessions ? [.accessToken, .webSession] : [.accessToken]
        }
    }

    /// These count for something where they hold; one that does not is as good as none.
    package var heeded: Set<Proof> {
        switch self {
        case .open(let access): access.heeded
        case .guest(let access): access.heeded
        // An access token that is bound to a key counts with a proof of it alone.
        case .session(let access): access.heeded.union([.dpop])
        }
    }

    /// Whose refresh tokens count, by the client that their session is of; `nil` where none does.
    package var refreshTokens: TokenDemand? {
        switch self {
        case .open(let access): access.refreshTokens
        case .guest(let access): access.refreshTokens
        case .session: nil
        }
    }

    /// Whose access tokens count; `nil` where none does.
    package var tokens: TokenDemand? {
        switch self {
        case .open: nil
        case .guest(let access): access.tokens
        case .session(let access): access.tokens
        }
    }
}

/// Which access tokens a route takes, or which refresh tokens.
package struct TokenDemand: Sendable, Equatable, Hashable {
    package let audience: TokenAudience
    package var clients = ClientClass.firstParty
    /// What a token that is limited to scopes has to be good for; where it is empty no limited token counts.
    package var scopes: Set<String> = []

    /// Whether a token that is limited to these is good enough; `nil`: it is not limited.
    func isMet(by granted: Set<String>?) -> Bool {
        guard let granted else { return true }
        return !scopes.isEmpty && scopes.isSubset(of: granted)
    }
}

/// For whom a token has to be (RFC 7519 §4.1.3).
package enum TokenAudience: String, Sendable, CaseIterable {
    /// Any client of the config.
    case everyClient
    /// The client of the wallet's surface: its devices are others than those of the other clients.
    case wallet
}

/// Whose client a token was given to.
package enum ClientClass: String, Sendable, CaseIterable {
    /// The operator's own: those of the config.
    case firstParty = "first-party"
    /// Everybody else's: added by the operator, or registered by themselves.
    case thirdParty = "third-party"
    /// Of either kind: for routes that ask for scopes, which is what both are limited by.
    case everybody = "first- and third-party"

    func includes(_ other: ClientClass) -> Bool { self == .everybody || self == other }
}

/// A route that does not ask who is signed in: an access token is not looked at.
package struct OpenAccess: Sendable, Equatable {
    /// The handler sees to it that one of them is shown, for they lie beside what the request is about.
    let needed: Set<Proof>
    let heeded: Set<Proof>
    var refreshTokens: TokenDemand?

    static let everybody = OpenAccess(needed: [], heeded: [])

    static func everybody(heeding heeded: Proof...) -> OpenAccess { OpenAccess(needed: [], heeded: Set(heeded)) }

    static func holder(of needed: Proof..., heeding heeded: Proof...) -> OpenAccess {
        OpenAccess(needed: Set(needed), heeded: Set(heeded))
    }

    /// Whoever holds such a refresh token, shown as one of `needed`.
    static func refresh(_ tokens: TokenDemand, shownAs needed: Proof..., heeding heeded: Proof...) -> OpenAccess {
        OpenAccess(needed: Set(needed), heeded: Set(heeded), refreshTokens: tokens)
    }
}

/// A route that asks who is signed in, and answers others as well.
///
/// A token that is no good is as good as none: apps send stale ones everywhere.
package struct GuestAccess: Sendable, Equatable {
    /// As in ``OpenAccess/needed``.
    let needed: Set<Proof>
    let heeded: Set<Proof>
    let tokens: TokenDemand
    var refreshTokens: TokenDemand?

    /// The same, and such refresh tokens count beside.
    func taking(refreshTokens demand: TokenDemand) -> GuestAccess {
        var access = self
        access.refreshTokens = demand
        return access
    }

    /// Whether a browser's session counts, by its cookie.
    var takesWebSessions: Bool { needed.union(heeded).contains(.webSession) }

    /// Whoever shows one of `needed`, and everybody where there is none; an access token counts for something.
    static func guest(
        _ audience: TokenAudience = .everyClient,
        with needed: Proof...,
        heeding heeded: Proof...
    ) -> GuestAccess {
        GuestAccess(
            needed: Set(needed),
            heeded: Set(heeded).union([.accessToken, .dpop]),
            tokens: TokenDemand(audience: audience)
        )
    }

    /// Whoever comes; an access token counts, and one that is limited to scopes where this is one of them.
    static func guest(limitedTo scope: String) -> GuestAccess {
        GuestAccess(
            needed: [],
            heeded: [.accessToken, .dpop],
            tokens: TokenDemand(audience: .everyClient, scopes: [scope])
        )
    }

    /// Whoever shows an access token, or one of the others in its place.
    static func token(_ audience: TokenAudience = .everyClient, or others: Proof...) -> GuestAccess {
        GuestAccess(needed: Set(others).union([.accessToken]), heeded: [.dpop], tokens: TokenDemand(audience: audience))
    }
}

/// A route for whoever is signed in: 401 for everybody else.
package struct SessionAccess: Sendable, Equatable {
    let tokens: TokenDemand
    package let recency: Recency
    /// What each request takes of its session's budget, before the store is asked.
    let budget: Limit?
    /// As in ``OpenAccess/heeded``.
    let heeded: Set<Proof>
    /// The clients whose browsers' sessions count as well, by their cookie: pages of ours sign in so.
    private(set) var webSessions: TokenDemand?
    /// Whether a browser's session counts as well.
    var takesWebSessions: Bool { webSessions != nil }

    /// The same, and a browser's session counts as well.
    var orWebSession: SessionAccess { alsoTaking(tokens) }

    /// The same, and a browser's session counts as well, with whichever client of ours it began.
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
        heeding heeded: Proof...
    ) -> SessionAccess {
        SessionAccess(tokens: TokenDemand(audience: audience), recency: recency, budget: budget, heeded: Set(heeded))
    }

    /// Whoever brings a token that is good for those scopes, whosever client it was given to.
    static func scoped(_ scopes: String...) -> SessionAccess {
        SessionAccess(
            tokens: TokenDemand(audience: .everyClient, clients: .everybody, scopes: Set(scopes)),
            recency: .any,
            budget: nil,
            heeded: []
        )
    }

    /// How long ago the person may have proved who they are (`auth_time`).
    package enum Recency: String, Sendable, CaseIterable {
        case any
        /// Within the last ten minutes, else 403 `step_up_required`.
        case recent
        /// The same where it comes to a change, which the handler finds out: see ``SignedIn/requireRecent()``.
        case recentToChange
    }
}
