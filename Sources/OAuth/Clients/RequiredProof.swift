import Kernel

/// What a person has to have proved before a client gets anything in their name (`oauth.requires`).
///
/// One rule for a sign-in of just now and for a session from before: whatever a browser was signed in by elsewhere, a client
/// gets no more by it than by the sign-in page (RFC 9470 §1 calls it the authentication level of a request; OpenID Connect
/// Core §2, `acr` and `amr`). What a single request asks for by `acr_values` or `claims` comes on top.
package enum RequiredProof: String, Sendable, CaseIterable {
    /// Whatever the browser's session began with, a password or a mailed code too.
    case any
    /// What the sign-in page offers.
    case faceOrPasskey = "face-or-passkey"
    case face, passkey
    /// A face and a passkey in one sign-in.
    case both = "face-and-passkey"

    /// Whether a sign-in is enough.
    package func isMet(by authentication: AuthenticationContext) -> Bool {
        switch self {
        case .any: return true
        // Also by a passkey without user verification, where the operator lets people in by one.
        case .faceOrPasskey:
            return authentication.passkey != nil || AuthenticationMethods.proveFace(authentication.methods)
        case .face, .passkey, .both:
            let proved = ContextClassReference(authentication)
            return contextClass.flatMap { proved?.satisfies($0) } == true
        }
    }

    /// The `acr` that it comes to; `nil` where none in particular is required.
    package var contextClass: ContextClassReference? {
        switch self {
        case .any, .faceOrPasskey: nil
        case .face: .face
        case .passkey: .passkey
        case .both: .both
        }
    }

    /// Whether the scan of a face alone meets it: all that a backchannel request has a person do.
    package var isMetByFace: Bool {
        switch self {
        case .any, .faceOrPasskey, .face: true
        case .passkey, .both: false
        }
    }
}

extension ContextClassReference {
    /// The ways that lead to it.
    var ways: Set<SignInWay> {
        switch self {
        case .face: [.face]
        case .passkey: [.passkey]
        case .both: [.face, .passkey]
        }
    }
}
