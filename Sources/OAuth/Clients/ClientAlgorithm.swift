internal import TokenReading

/// The algorithms with which clients may sign assertions and request objects.
///
/// Symmetric algorithms are excluded, because they need the secret itself and only its hash is stored. `none` is
/// excluded too.
package enum ClientAlgorithm: String, Sendable, CaseIterable {
    case es256 = "ES256"
    case edDSA = "EdDSA"
    case ps256 = "PS256"
    case rs256 = "RS256"

    /// The names of all algorithms.
    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The kind of the key, as the algorithm with which this server would use such a key.
    var kind: SigningAlgorithm {
        switch self {
        case .es256: .es256
        case .edDSA: .edDSA
        case .ps256, .rs256: .rs256
        }
    }

    /// The kinds of keys by `kty` (RFC 7518 §6.1, RFC 8037 §2).
    ///
    /// The curve is checked when the key is read.
    static let kinds: [String: SigningAlgorithm] = ["EC": .es256, "OKP": .edDSA, "RSA": .rs256]

    func isValid(_ signature: [UInt8], for message: [UInt8], by key: VerificationKey) -> Bool {
        switch (self, key) {
        case (.ps256, .rs256(let key)): key.isValidPSS(signature, for: message)
        case (.es256, .es256), (.edDSA, .edDSA), (.rs256, .rs256): key.isValid(signature, for: message)
        case (.es256, .edDSA), (.es256, .rs256), (.edDSA, .es256), (.edDSA, .rs256), (.ps256, .es256),
            (.ps256, .edDSA), (.rs256, .es256), (.rs256, .edDSA):
            false
        }
    }
}
