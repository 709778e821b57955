/// A measure against access that an attacker may have: it ends what ``reach(_:)`` says, and leaves the rest.
///
/// docs/remedies.md has the same table for people. A test compares the two.
package enum Remedy: String, Sendable, CaseIterable {
    /// The signed-in owner disowns a sign-in.
    case notMe = "this wasn't me"
    /// A person with the link of an operation disowns it on its page.
    case notMeOnPage = "this wasn't me, on the landing page"
    case signedOutEverywhere = "sign-out everywhere"
    case passwordChanged = "password changed"
    /// A new address was proved from the account's own device, and replaced the previous one.
    case addressReplaced = "address replaced by its owner"
    /// An address was proved from a device other than the account's own.
    case addressProved = "address proved from elsewhere"
    /// An address was proved by a code that was typed in the app.
    case addressProvedInApp = "address proved in the app"
    case passkeyRemoved = "passkey removed"
    case deviceRevoked = "device revoked"
    /// `vestibule sessions revoke ID`.
    case sessionRevoked = "sessions revoke ID"
    /// `vestibule sessions revoke --account`.
    case sessionsRevoked = "sessions revoke --account"
    /// `vestibule accounts set --password`.
    case passwordSet = "accounts set --password"
    /// `vestibule accounts set --email`.
    case addressSet = "accounts set --email"
    case accountDisabled = "accounts disable"
    /// The person closed the account.
    case accountClosed = "account closed by its owner"
    case clientDisabled = "clients disable"
    /// `vestibule clients end-sessions`.
    case clientSignedOut = "clients end-sessions"
}

/// A kind of result that a sign-in can have or leave behind.
package enum Outcome: String, Sendable, CaseIterable {
    /// A session with its refresh tokens.
    case session = "sessions"
    /// A session of an OAuth client, with its grant.
    case grant = "OAuth sessions"
    /// A browser's cookie for a session.
    case webSession = "web sessions"
    /// An authorization request that waits at the sign-in page.
    case interaction = "authorization requests"
    /// An authorization code that is not redeemed.
    case code = "codes"
    /// An approved device code.
    case deviceCode = "device codes"
    /// A live or approved operation, CIBA requests included.
    case operation = "operations"
    case consent = "consents"
    case passkey = "passkeys"
    case deviceKey = "device keys"
    case deviceCredential = "device credentials"
    case pushToken = "push tokens"
    case face = "faces"
    case password = "password"
    case mailedCode = "mailed codes"
    case card = "cards and bank links"
}

/// The part of one kind of results that a remedy ends.
package enum Reach: String, Sendable, CaseIterable {
    /// Nothing.
    case none = "–"
    /// Only what the remedy names, or what the change replaces.
    case itself = "itself"
    /// The descendants of the sign-in, by their stored links, and nothing else.
    case descent = "descends"
    /// All of the account except what the requesting session has.
    case others = "others"
    /// All of the account except what the requesting session has, or began with.
    case notOwn = "not its own"
    /// The set-ups of sign-ins by password and of their descendants, except those of the requesting session.
    case byPassword = "by password"
    /// The set-ups of sign-ins, without those of an operator.
    case bySignIn = "by sign-in"
    /// All of the account.
    case all = "all"
    /// All of the client, for any account.
    case client = "client"
}

extension Remedy {
    /// Returns the part of that kind of results that the remedy ends.
    package func reach(_ outcome: Outcome) -> Reach {
        switch self {
        case .notMe: Self.ofDisowning(outcome)
        case .notMeOnPage: outcome == .operation ? .itself : .none
        case .passkeyRemoved, .deviceRevoked, .sessionRevoked: ofDescent(outcome)
        case .signedOutEverywhere, .sessionsRevoked: Self.passing.contains(outcome) ? .all : .none
        case .accountDisabled: Self.passing.contains(outcome) || outcome == .mailedCode ? .all : .none
        case .passwordChanged, .addressReplaced, .passwordSet: ofChange(outcome)
        case .addressProved, .accountClosed: .all
        case .addressProvedInApp: Self.ofProofInApp(outcome)
        case .addressSet: outcome == .face ? .bySignIn : .all
        case .clientDisabled: Self.passing.contains(outcome) || outcome == .consent ? .client : .none
        case .clientSignedOut: Self.passing.contains(outcome) ? .client : .none
        }
    }

    /// The results that last no longer than a sign-in.
    private static let passing: Set<Outcome> = [
        .session, .grant, .webSession, .interaction, .code, .deviceCode, .operation,
    ]

    private static func ofDisowning(_ outcome: Outcome) -> Reach {
        switch outcome {
        case .mailedCode, .card: .none
        default: .descent
        }
    }

    /// Returns the reach of a remedy that gives up a means to sign in.
    ///
    /// Set-ups beside that means stay, such as a new key that was registered with the old one.
    private func ofDescent(_ outcome: Outcome) -> Reach {
        switch outcome {
        case .passkey: self == .passkeyRemoved ? .itself : .none
        case .deviceKey, .deviceCredential, .pushToken: self == .deviceRevoked ? .itself : .none
        case .consent: .descent
        default: Self.passing.contains(outcome) ? .descent : .none
        }
    }

    private static func ofProofInApp(_ outcome: Outcome) -> Reach {
        switch outcome {
        case .passkey, .face, .password: .notOwn
        // Only the requesting session stays, and nothing opens another session from it.
        case .grant, .code, .deviceCode, .mailedCode, .pushToken, .card: .all
        default: .others
        }
    }

    private func ofChange(_ outcome: Outcome) -> Reach {
        switch outcome {
        // Only the requesting session stays, and nothing opens another session from it. Its device keeps no push token,
        // because the push token's origin is unknown.
        case .grant, .code, .deviceCode, .passkey, .mailedCode, .pushToken: .all
        case .password where self == .addressReplaced: .none
        case .password: self == .passwordSet ? .all : .itself
        case .face: self == .addressReplaced ? .none : .byPassword
        case .card: .none
        default: self == .passwordSet ? .all : .others
        }
    }
}
