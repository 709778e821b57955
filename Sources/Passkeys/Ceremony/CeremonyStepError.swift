/// The error in a ceremony's response, at any step.
package enum CeremonyStepError: Error, Sendable, Equatable {
    /// A member of the response is missing or of another kind.
    case response(member: String)
    case clientDataNotUTF8
    case clientDataMalformed
    case wrongType
    case wrongChallenge
    case originNotAllowed
    case crossOrigin
    case topOrigin
    case topOriginNotAllowed
    case attestationObject(AttestationObjectError)
    case authenticatorData(AuthenticatorDataError)
    case noAttestedCredential
    case wrongRPID
    case userNotPresent
    case userNotVerified
    case backedUpNotEligible
    case backupEligibleNotAllowed
    case algorithmNotOffered
    case publicKey(COSEKeyError)
    case formatUnsupported
    /// `format`: the identifier of the statement's format.
    case attestation(AttestationError, format: String)
    case attestationRequired
    case selfAttestationNotAllowed
    /// The statement is valid, but no trusted certificate confirms it.
    case attestationUntrusted(TrustError)
    case credentialIDTooLong
    case credentialAlreadyRegistered
    case credentialIDMismatch
    case extensionOutput
    case notDiscoverable
    case credentialNotAllowed
    case credentialUnknown
    case userHandleMissing
    case userHandleMismatch
    case backupEligibilityChanged
    case signatureInvalid
    case counterNotIncreased

    /// A stable code for programs.
    package var code: String {
        switch self {
        case .response: "response_malformed"
        case .clientDataNotUTF8: "client_data_not_utf8"
        case .clientDataMalformed: "client_data_malformed"
        case .wrongType: "client_data_type"
        case .wrongChallenge: "challenge_mismatch"
        case .originNotAllowed: "origin_not_allowed"
        case .crossOrigin: "cross_origin_not_allowed"
        case .topOrigin: "top_origin_not_expected"
        case .topOriginNotAllowed: "top_origin_not_allowed"
        case .attestationObject(let fault): fault.code
        case .authenticatorData(let fault): fault.code
        case .noAttestedCredential: "attested_credential_missing"
        case .wrongRPID: "rp_id_mismatch"
        case .userNotPresent: "user_not_present"
        case .userNotVerified: "user_not_verified"
        case .backedUpNotEligible: "backup_state_without_eligibility"
        case .backupEligibleNotAllowed: "backup_eligible_not_allowed"
        case .algorithmNotOffered: "algorithm_not_offered"
        case .publicKey(let fault): fault.code
        case .formatUnsupported: "attestation_format_unsupported"
        case .attestation(let fault, _): fault.code
        case .attestationRequired: "attestation_required"
        case .selfAttestationNotAllowed: "self_attestation_not_allowed"
        case .attestationUntrusted(let fault): fault.code
        case .credentialIDTooLong: "credential_id_too_long"
        case .credentialAlreadyRegistered: "credential_already_registered"
        case .credentialIDMismatch: "credential_id_mismatch"
        case .extensionOutput: "extension_output_malformed"
        case .notDiscoverable: "credential_not_discoverable"
        case .credentialNotAllowed: "credential_not_allowed"
        case .credentialUnknown: "credential_unknown"
        case .userHandleMissing: "user_handle_missing"
        case .userHandleMismatch: "user_handle_mismatch"
        case .backupEligibilityChanged: "backup_eligibility_changed"
        case .signatureInvalid: "signature_invalid"
        case .counterNotIncreased: "counter_not_increased"
        }
    }
}
