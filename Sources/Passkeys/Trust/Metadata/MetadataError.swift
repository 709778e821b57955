/// The reason for refusing a BLOB of the FIDO Metadata Service.
package enum MetadataError: Error, Sendable, Equatable {
    /// The BLOB is longer than ``MetadataBlob/maximumLength``.
    case tooLong
    /// The BLOB is not three parts of base64url with a header in JSON, or one of its members has a different type.
    case malformed
    /// The header requires unsupported features, such as `crit`, or certificates at a URL.
    case header
    /// The algorithm is not RS256 or ES256, or not that of the certificate's key.
    case algorithm
    /// The header has no certificates, too many, or one that can't be read.
    case certificates
    /// The certificates don't lead to the root.
    case chain(TrustError)
    /// The first certificate is not for the service's host.
    case signer
    case signature
    /// The signature is valid, but the payload is not metadata of version 3.
    case payload
    /// The BLOB is older than the last accepted one.
    case numberWentBack
    /// The BLOB should have been replaced by now.
    case overdue

    /// A stable code for programs.
    package var code: String {
        switch self {
        case .tooLong: "metadata_too_long"
        case .malformed: "metadata_malformed"
        case .header: "metadata_header"
        case .algorithm: "metadata_algorithm"
        case .certificates: "metadata_certificates"
        case .chain: "metadata_untrusted"
        case .signer: "metadata_signer"
        case .signature: "metadata_signature_invalid"
        case .payload: "metadata_payload"
        case .numberWentBack: "metadata_number_went_back"
        case .overdue: "metadata_overdue"
        }
    }

    /// The error and its remedy, in one sentence for an operator.
    package var explanation: String {
        switch self {
        case .tooLong: "The BLOB is longer than \(MetadataBlob.maximumLength) bytes."
        case .malformed: "The BLOB is not a compact JWS. Download it again."
        case .header: "The BLOB's header asks for something that isn't supported here."
        case .algorithm: "The BLOB is signed with another algorithm than RS256 or ES256."
        case .certificates: "The BLOB's header has no certificates that can be read."
        case .chain(let fault): "The BLOB's certificates don't lead to the given root (\(fault.code)). Check the root."
        case .signer: "The BLOB is not signed by the metadata service. Download it again."
        case .signature: "The BLOB's signature doesn't hold. Download it again."
        case .payload: "The BLOB does not have metadata of version 3."
        case .numberWentBack: "The BLOB is older than the one in use. Download the newest."
        case .overdue: "The BLOB should have been replaced by now. Download the newest."
        }
    }
}
