/// The reason for refusing an attestation statement.
package enum AttestationError: String, Error, Sendable, Equatable, CaseIterable {
    // Of every format. A member is missing, has a different type, or is unexpected.
    case malformed = "attestation_malformed"
    /// A signature algorithm that is not verified here; SHA-1 is none that is.
    case algorithmUnsupported = "attestation_algorithm_unsupported"
    /// The signing key's algorithm differs from the statement's.
    case algorithmMismatch = "attestation_algorithm_mismatch"
    case signatureInvalid = "attestation_signature_invalid"
    /// The certificate is missing, or more are sent than are checked.
    case certificateCount = "attestation_certificate_count"
    /// No X.509 certificate in DER, or one with a key of a kind that is not verified here.
    case certificateUnreadable = "attestation_certificate_unreadable"
    /// The certificate, or the structure of the TPM, is of another key than the credential's.
    case publicKeyMismatch = "attestation_public_key_mismatch"
    /// The extension with the model's AAGUID holds none.
    case aaguidExtensionMalformed = "attestation_aaguid_extension_malformed"
    case aaguidExtensionCritical = "attestation_aaguid_extension_critical"
    /// The certificate is for a different model than the authenticator's.
    case aaguidMismatch = "attestation_aaguid_mismatch"

    // Requirements of `packed` and `tpm` on the certificate. The extension with a device's number is critical, or does
    // not hold a valid one.
    case serialNumberExtension = "attestation_serial_number_extension"
    /// A device's number, where no enterprise attestation was asked for.
    case serialNumberNotAsked = "attestation_serial_number_not_asked"
    case certificateVersion = "attestation_certificate_version"
    /// No basic constraints, or those of an authority.
    case certificateIsAuthority = "attestation_certificate_is_authority"
    case subjectCountry = "attestation_subject_country"
    case subjectOrganization = "attestation_subject_organization"
    case subjectUnit = "attestation_subject_unit"
    case subjectCommonName = "attestation_subject_common_name"

    // `tpm`
    case tpmVersion = "attestation_tpm_version"
    /// `pubArea` is not a TPMT_PUBLIC.
    case tpmPublicArea = "attestation_tpm_public_area"
    case tpmSubjectNotEmpty = "attestation_tpm_subject_not_empty"
    /// The alternative name doesn't tell manufacturer, model and version of the TPM.
    case tpmAlternativeName = "attestation_tpm_alternative_name"
    /// The key usage is not that of attestation keys.
    case tpmKeyUsage = "attestation_tpm_key_usage"
    /// `certInfo` is not a TPMS_ATTEST.
    case tpmCertInfo = "attestation_tpm_cert_info"
    case tpmMagic = "attestation_tpm_magic"
    case tpmType = "attestation_tpm_type"
    /// Signed for other data.
    case tpmExtraData = "attestation_tpm_extra_data"
    /// A name made with a hash that is not relied on.
    case tpmNameAlgorithm = "attestation_tpm_name_algorithm"
    /// The certified key is a different one.
    case tpmName = "attestation_tpm_name"

    // `android-key`
    /// The certificate has no description of the key, or one that can't be read.
    case androidKeyDescription = "attestation_android_key_description"
    /// Made for other client data.
    case androidChallenge = "attestation_android_challenge"
    case androidAllApplications = "attestation_android_all_applications"
    /// The key is not in the device's secure hardware, which is required.
    case androidSecurityLevel = "attestation_android_security_level"
    /// The key was not generated on the device.
    case androidOrigin = "attestation_android_origin"
    /// The key is not for signing, or a key in secure hardware has further purposes.
    case androidPurpose = "attestation_android_purpose"

    // `apple`
    /// The certificate has no nonce, or one that can't be read.
    case appleNonceMissing = "attestation_apple_nonce_missing"
    /// Made for other data.
    case appleNonce = "attestation_apple_nonce"

    // `fido-u2f`
    /// The certificate's key, or the credential's, is not on P-256.
    case u2fKey = "attestation_u2f_key"
    /// The certificate is an authority's, or one of another format's attestations.
    case u2fCertificate = "attestation_u2f_certificate"

    /// Stable, for machines.
    package var code: String { rawValue }

    /// The clause of WebAuthn L3 that asks for it in that format.
    package func clause(of format: String) -> String {
        switch self {
        case .malformed, .certificateCount, .certificateUnreadable, .algorithmUnsupported, .algorithmMismatch,
            .signatureInvalid, .publicKeyMismatch, .aaguidMismatch:
            AttestationFormats.clause(of: format)
        case .aaguidExtensionMalformed, .aaguidExtensionCritical, .certificateVersion, .certificateIsAuthority:
            format == "tpm" ? "§8.3.1" : "§8.2.1"
        case .subjectCountry, .subjectOrganization, .subjectUnit, .subjectCommonName: "§8.2.1"
        case .serialNumberExtension, .serialNumberNotAsked: "§8.2.2"
        case .tpmSubjectNotEmpty, .tpmAlternativeName, .tpmKeyUsage: "§8.3.1"
        case .tpmVersion, .tpmPublicArea, .tpmCertInfo, .tpmMagic, .tpmType, .tpmExtraData, .tpmNameAlgorithm,
            .tpmName:
            "§8.3"
        case .androidKeyDescription: "§8.4.1"
        case .androidChallenge, .androidAllApplications, .androidSecurityLevel, .androidOrigin, .androidPurpose: "§8.4"
        case .u2fKey, .u2fCertificate: "§8.6"
        case .appleNonceMissing, .appleNonce: "§8.8"
        }
    }
}
