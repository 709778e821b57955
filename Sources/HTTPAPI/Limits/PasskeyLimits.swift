package import Kernel
import Operations

/// Limits how often one address requests passkey options and answers them.
package final class PasskeyLimits: Sendable {
    /// The kinds of requests, each counted separately.
    ///
    /// The raw values are part of the limits' names in the database.
    enum Kind: String, Sendable, CaseIterable {
        case registrationOptions, registration, signInOptions, signIn
        /// Requests with a name that is used or invalid.
        case refusedNames
        /// All requests by clients that use `challengeId`.
        case byChallengeID
    }

    /// The limits of one address, which are at least those of the published site's server.
    package struct Rates: Sendable, Equatable {
        package var signUps: RateLimit
        package var signIns: RateLimit
        package var requests: RateLimit

        /// `signUps` limits options for new passkeys of cookie clients, `signIns` each other kind of their requests,
        /// and `requests` all requests of `challengeId` clients.
        package init(signUps: RateLimit, signIns: RateLimit, requests: RateLimit) {
            self.signUps = signUps
            self.signIns = signIns
            self.requests = requests
        }

        fileprivate func limit(_ kind: Kind) -> RateLimit {
            switch kind {
            case .registrationOptions: signUps
            case .registration, .signInOptions, .signIn: signIns
            case .byChallengeID, .refusedNames: requests
            }
        }
    }

    private let keys: LimitKeys
    private let limiters: [Kind: Limiter]

    package init(sharing: LimitSharing, rates: Rates) {
        keys = LimitKeys(sharing)
        let limiters = Kind.allCases.map {
            ($0, Limiter(.passkeysPerAddress, rates.limit($0), part: $0.rawValue, sharing: sharing))
        }
        self.limiters = Dictionary(uniqueKeysWithValues: limiters)
    }

    func admit(_ kind: Kind, from address: NetworkAddress?) async throws(APIError) {
        try await limiters[kind]?.take(keys.key(address))
    }

    /// Throws where ``admit(_:from:)`` would, and counts nothing.
    func check(_ kind: Kind, from address: NetworkAddress?) async throws(APIError) {
        try await limiters[kind]?.check(keys.key(address))
    }
}
