/// A status of an authenticator model in the FIDO Metadata Service (MDS3 §3.1.4).
package enum AuthenticatorStatus: Sendable, Equatable {
    case revoked
    case userVerificationBypass
    case attestationKeyCompromise
    case userKeyRemoteCompromise
    case userKeyPhysicalCompromise
    /// A certification, an update, or a status of a later version of the service.
    case other(String)

    init(_ name: String) {
        self = Self.undesired.first { $0.name == name } ?? .other(name)
    }

    /// The name in the metadata.
    package var name: String {
        switch self {
        case .revoked: "REVOKED"
        case .userVerificationBypass: "USER_VERIFICATION_BYPASS"
        case .attestationKeyCompromise: "ATTESTATION_KEY_COMPROMISE"
        case .userKeyRemoteCompromise: "USER_KEY_REMOTE_COMPROMISE"
        case .userKeyPhysicalCompromise: "USER_KEY_PHYSICAL_COMPROMISE"
        case .other(let name): name
        }
    }

    /// The statuses that forbid a registration.
    package static let undesired: [AuthenticatorStatus] = [
        .revoked, .userVerificationBypass, .attestationKeyCompromise, .userKeyRemoteCompromise,
        .userKeyPhysicalCompromise,
    ]
}
