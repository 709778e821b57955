package import Devices
package import Kernel
package import Passkeys
import Sessions

/// How a person has just proved who they are: the one origin of a session's `amr`.
///
/// ``ContextClassReference`` reads the session's `acr` from it.
package enum AuthenticationProof: Sendable, Equatable {
    /// A provider judged a scanned face.
    case face
    case password
    /// A code from the person's mailbox.
    case mailedCode
    /// A passkey signed; `isSynced`: it is kept in several devices; `isUserVerified`: the authenticator made sure who.
    case passkey(PasskeyID, isSynced: Bool, isUserVerified: Bool)
    /// A registered device's key signed, after the device asked for that.
    case deviceKey(BiometricKind?)
    /// Opening the account was the sign-in.
    case newAccount

    /// The values of `amr` (RFC 8176 §2).
    ///
    /// `face` stands for a face that a provider has judged, and never for one that a phone recognised.
    package var methods: [String] {
        switch self {
        case .face: ["face"]
        case .password: ["pwd"]
        case .mailedCode: ["otp"]
        case .passkey(_, let isSynced, let isUserVerified):
            [isSynced ? "swk" : "hwk", "user"] + (isUserVerified ? ["mfa"] : [])
        case .deviceKey(.fingerprint): ["hwk", "fpt"]
        case .deviceKey(.face): ["hwk", "user"]
        case .deviceKey(nil): ["hwk"]
        case .newAccount: []
        }
    }

    /// The passkey that signed.
    var passkey: PasskeyID? { if case .passkey(let id, _, _) = self { id } else { nil } }

    /// What the session's refresh tokens need ever after.
    var binding: Session.Binding { if case .deviceKey = self { .deviceKey } else { .none } }
}

extension CheckedSignIn {
    /// The proof that the passkey's signature is.
    package var proof: AuthenticationProof {
        .passkey(passkeyID, isSynced: isSynced, isUserVerified: isUserVerified)
    }
}

extension Passkey {
    /// The proof that making the passkey is.
    package var proof: AuthenticationProof {
        .passkey(id, isSynced: record.isBackupEligible, isUserVerified: record.isUserVerified)
    }
}
