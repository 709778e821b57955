/// The signature algorithms that are verified, by their numbers in the IANA registry of COSE (RFC 9053 §2, RFC 8812 §2).
package enum COSEAlgorithm: Int64, Sendable, Hashable, CaseIterable {
    case es256 = -7
    case edDSA = -8
    case es384 = -35
    case es512 = -36
    case ps256 = -37
    case rs256 = -257

    /// What is offered unless the config says otherwise, the preferred one first.
    package static let offered: [COSEAlgorithm] = [.edDSA, .es256, .rs256]
}
