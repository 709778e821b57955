import Kernel

/// The proof that a person must have given before a client gets anything in their name (`oauth.requires`).
///
/// The rule is the same for a new sign-in and for an existing session: a browser's session never grants more than the
/// sign-in page. Sources: RFC 9470 §1, authentication level; OpenID Connect Core §2, `acr` and `amr`. The `acr_values`
/// or `claims` of a single request are required in addition.
package enum RequiredProof: String, Sendable, CaseIterable {
    /// Any session of the browser, including one begun with a password or a mailed code.
    case any
    /// A face or a passkey.
    case faceOrPasskey = "face-or-passkey"
    case face, passkey
    /// A face and a passkey in one sign-in.
    case both = "face-and-passkey"

    /// Whether a sign-in meets the rule.
    package func isMet(by authentication: AuthenticationContext) -> Bool {
        switch self {
        case .any: return true
        // A passkey without user verification counts as well, where the operator allows it. A new one has no `user` yet.
        case .faceOrPasskey:
            let hasPasskey = authentication.passkey != nil && authentication.methods.contains("user")
            return hasPasskey || AuthenticationMethods.proveFace(authentication.methods)
        case .face, .passkey, .both:
            let proved = ContextClassReference(authentication)
            return contextClass.flatMap { proved?.satisfies($0) } == true
        }
    }

    /// The required `acr`; `nil` where none is required.
    package var contextClass: ContextClassReference? {
        switch self {
        case .any, .faceOrPasskey: nil
        case .face: .face
        case .passkey: .passkey
        case .both: .both
        }
    }

    /// Whether a face scan alone is sufficient.
    ///
    /// A backchannel request has no other proof.
    package var isMetByFace: Bool {
        switch self {
        case .any, .faceOrPasskey, .face: true
        case .passkey, .both: false
        }
    }
}

extension ContextClassReference {
    /// The ways to sign in that the class requires.
    var ways: Set<SignInWay> {
        switch self {
        case .face: [.face]
        case .passkey: [.passkey]
        case .both: [.face, .passkey]
        }
    }
}
