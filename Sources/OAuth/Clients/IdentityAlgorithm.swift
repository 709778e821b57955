package import TokenReading

/// The algorithm of a client's id tokens (`id_token_signed_response_alg`, OpenID Connect Registration §2).
package enum IdentityAlgorithm: String, Sendable, CaseIterable {
    case es256 = "ES256"
    case edDSA = "EdDSA"
    case rs256 = "RS256"

    package init(_ algorithm: SigningAlgorithm) {
        self =
            switch algorithm {
            case .es256: .es256
            case .edDSA: .edDSA
            case .rs256: .rs256
            }
    }

    /// The algorithm of the key that signs.
    package var signing: SigningAlgorithm {
        switch self {
        case .es256: .es256
        case .edDSA: .edDSA
        case .rs256: .rs256
        }
    }

    /// The names of all algorithms, for messages.
    package static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
