import Kernel

/// A way to sign in on the sign-in page.
package enum SignInWay: String, Sendable, CaseIterable {
    case passkey, face
    /// A code from the person's mailbox.
    case mail
    case password

    /// All names, for messages.
    package static let names = allCases.map(\.rawValue).joined(separator: ", ")
}

extension Set<SignInWay> {
    /// The names in the order of the page, separated by spaces.
    package var text: String { SignInWay.allCases.filter(contains).map(\.rawValue).joined(separator: " ") }

    /// Reads names that are separated by spaces; `nil` if one is unknown.
    package init?(parsing text: String) {
        let names = text.split(separator: " ")
        let ways = names.compactMap { SignInWay(rawValue: String($0)) }
        guard ways.count == names.count else { return nil }
        self.init(ways)
    }
}

extension AuthenticationContext {
    /// The ways by which the person has signed in.
    ///
    /// A device's key is none of them, because the page can't ask for one.
    package var ways: Set<SignInWay> {
        var ways: Set<SignInWay> = []
        if passkey != nil { ways.insert(.passkey) }
        if AuthenticationMethods.proveFace(methods) { ways.insert(.face) }
        if methods.contains("otp") { ways.insert(.mail) }
        if methods.contains("pwd") { ways.insert(.password) }
        return ways
    }
}

extension RequiredProof {
    /// The ways that meet the rule, each alone or, for ``both``, together.
    package var ways: Set<SignInWay> {
        switch self {
        case .any: Set(SignInWay.allCases)
        case .faceOrPasskey, .both: [.face, .passkey]
        case .face: [.face]
        case .passkey: [.passkey]
        }
    }

    /// Whether a client with this rule may name those ways as good enough (`oauth.ways`).
    ///
    /// A way that the rule refuses would never be enough, and of two required ways none can be left out.
    package func allows(_ ways: Set<SignInWay>) -> Bool {
        ways.isEmpty || (self == .both ? ways == self.ways : ways.isSubset(of: self.ways))
    }
}

extension OAuthClient.AuthorizationRules {
    /// The ways of which each is good enough, or for ``RequiredProof/both`` all together.
    package var acceptedWays: Set<SignInWay> { ways.isEmpty ? requires.ways : ways }

    /// Whether a sign-in is good enough for the client: it meets ``requires``, by one of the ``ways`` if any are named.
    package func isMet(by authentication: AuthenticationContext) -> Bool {
        requires.isMet(by: authentication) && (ways.isEmpty || !ways.isDisjoint(with: authentication.ways))
    }

    /// Whether a face scan alone is good enough, which is all that a backchannel request proves.
    package var isMetByFace: Bool { requires.isMetByFace && acceptedWays.contains(.face) }
}
