package import TokenReading

/// What a client asks its id tokens to be signed with (`id_token_signed_response_alg`, OpenID Connect Registration §2).
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

    /// All of them, for whoever has to write one.
    package static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
