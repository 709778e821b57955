/// The reason for refusing an attestation statement.
package enum AttestationError: String, Error, Sendable, Equatable, CaseIterable {
    // Errors of every format.
    /// A member is missing, has a different type, or is unexpected.
    case malformed = "attestation_malformed"
    /// The signature algorithm is not verified here. SHA-1 is verified only where ``TPMFormat/Signatures`` allow it.
    case algorithmUnsupported = "attestation_algorithm_unsupported"
    /// The signing key's algorithm differs from the statement's.
    case algorithmMismatch = "attestation_algorithm_mismatch"
    case signatureInvalid = "attestation_signature_invalid"
    /// The certificate is missing, or the statement has more than ``CertificatePath/maximumCount`` certificates.
    case certificateCount = "attestation_certificate_count"
    /// The bytes are not an X.509 certificate in DER, or its key is of an unsupported kind or factorable (ROCA).
    case certificateUnreadable = "attestation_certificate_unreadable"
    /// The key in the certificate, or in the TPM's public area, is not the credential's.
    case publicKeyMismatch = "attestation_public_key_mismatch"
    /// The certificate's extension for the AAGUID holds no AAGUID.
    case aaguidExtensionMalformed = "attestation_aaguid_extension_malformed"
    case aaguidExtensionCritical = "attestation_aaguid_extension_critical"
    /// The AAGUID in the certificate differs from that in the authenticator data.
    case aaguidMismatch = "attestation_aaguid_mismatch"

    // Requirements of `packed` and `tpm` on the certificate.
    /// The extension for the device's serial number is critical, or holds no valid number.
    case serialNumberExtension = "attestation_serial_number_extension"
    /// The certificate has a device's serial number, but no enterprise attestation was requested.
    case serialNumberNotAsked = "attestation_serial_number_not_asked"
    case certificateVersion = "attestation_certificate_version"
    /// The basic constraints are missing, or mark the certificate as an authority's.
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
    /// The subject alternative name does not state the TPM's manufacturer, model and version.
    case tpmAlternativeName = "attestation_tpm_alternative_name"
    /// The extended key usage does not include that of attestation keys.
    case tpmKeyUsage = "attestation_tpm_key_usage"
    /// `certInfo` is not a TPMS_ATTEST.
    case tpmCertInfo = "attestation_tpm_cert_info"
    case tpmMagic = "attestation_tpm_magic"
    case tpmType = "attestation_tpm_type"
    /// `extraData` is not the hash of this ceremony's data.
    case tpmExtraData = "attestation_tpm_extra_data"
    /// The name of the key is made with a hash that ``TPMHash`` does not have.
    case tpmNameAlgorithm = "attestation_tpm_name_algorithm"
    /// The name in `certInfo` is not that of the key in `pubArea`.
    case tpmName = "attestation_tpm_name"

    // `android-key`
    /// The certificate has no description of the key, or one that can't be read.
    case androidKeyDescription = "attestation_android_key_description"
    /// The challenge in the description of the key is not the hash of the client data.
    case androidChallenge = "attestation_android_challenge"
    case androidAllApplications = "attestation_android_all_applications"
    /// The key is not in the device's secure hardware, but the policy requires it.
    case androidSecurityLevel = "attestation_android_security_level"
    /// The key was not generated on the device.
    case androidOrigin = "attestation_android_origin"
    /// The key is not for signing, or a key in secure hardware has further purposes.
    case androidPurpose = "attestation_android_purpose"

    // `apple`
    /// The certificate has no nonce, or one that can't be read.
    case appleNonceMissing = "attestation_apple_nonce_missing"
    /// The nonce is not the hash of this ceremony's data.
    case appleNonce = "attestation_apple_nonce"

    // `fido-u2f`
    /// The certificate's key, or the credential's, is not on P-256.
    case u2fKey = "attestation_u2f_key"
    /// The certificate is a certificate authority's, or belongs to the format `android-key` or `apple`.
    case u2fCertificate = "attestation_u2f_certificate"

    /// A stable code for programs.
    package var code: String { rawValue }

    /// Returns the clause of WebAuthn L3 that a statement of this format violates.
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
