/// What a request may cost.
struct LimitSettings: Sendable, Equatable {
    var bodyBytes = 65_536
    /// Whether the rate limiters are off, for benches.
    var off = false
}

/// Where the signing keys are, and with which algorithm new ones are made.
struct KeySettings: Sendable, Equatable {
    var keyFolder: String
    var signingAlgorithm: SigningAlgorithm = .es256

    init(dataFolder: String) { keyFolder = dataFolder + "/keys" }

    /// The `alg` of new signing keys (RFC 7518 §3.1, RFC 8037 §3.1).
    enum SigningAlgorithm: String, Sendable, CaseIterable {
        case es256, eddsa
    }
}
