package import Devices
package import Kernel
package import Passkeys
import Sessions

/// The means by which a person has just authenticated: the only source of a session's `amr`.
///
/// ``ContextClassReference`` reads the session's `acr` from it.
package enum AuthenticationProof: Sendable, Equatable {
    /// A provider judged a scanned face.
    case face
    case password
    /// A code from the person's mailbox.
    case mailedCode
    /// A passkey signed.
    ///
    /// `isSynced`: whether several devices have the passkey. `isUserVerified`: whether the authenticator verified the
    /// user.
    case passkey(PasskeyID, isSynced: Bool, isUserVerified: Bool)
    /// A passkey signed that does not count yet for clients that require one.
    ///
    /// It lacks the methods by which ``RequiredProof`` recognises a passkey.
    case youngPasskey(PasskeyID, isSynced: Bool)
    /// A registered device's key signed the device's challenge.
    case deviceKey(BiometricKind?)
    /// The person opened the account, which signs them in.
    case newAccount

    /// The values of `amr` (RFC 8176 §2).
    ///
    /// `face` means a face that a provider has judged, and never a face that a phone recognised.
    package var methods: [String] {
        switch self {
        case .face: ["face"]
        case .password: ["pwd"]
        case .mailedCode: ["otp"]
        case .passkey(_, let isSynced, let isUserVerified):
            [isSynced ? "swk" : "hwk", "user"] + (isUserVerified ? ["mfa"] : [])
        case .youngPasskey(_, let isSynced): [isSynced ? "swk" : "hwk"]
        case .deviceKey(.fingerprint): ["hwk", "fpt"]
        case .deviceKey(.face): ["hwk", "user"]
        case .deviceKey(nil): ["hwk"]
        case .newAccount: []
        }
    }

    /// The passkey that signed.
    var passkey: PasskeyID? {
        switch self {
        case .passkey(let id, _, _), .youngPasskey(let id, _): id
        case .face, .password, .mailedCode, .deviceKey, .newAccount: nil
        }
    }

    /// The proof that the session's refresh tokens need from then on.
    var binding: Session.Binding { if case .deviceKey = self { .deviceKey } else { .none } }
}

extension CheckedSignIn {
    /// The proof that the passkey's signature gives.
    package var proof: AuthenticationProof {
        .passkey(passkeyID, isSynced: isSynced, isUserVerified: isUserVerified)
    }
}

extension Passkey {
    /// The proof that the creation of the passkey gives.
    package var proof: AuthenticationProof {
        .passkey(id, isSynced: credential.record.backup.isEligible, isUserVerified: credential.record.isUserVerified)
    }
}
