import Hummingbird
package import Kernel
import Operations

/// Limits how often one address requests passkeys' options and answers them.
package final class PasskeyLimits: Sendable {
    /// The kinds of requests, each counted separately.
    enum Kind: UInt8, Sendable {
        case registrationOptions, registration, signInOptions, signIn
        /// Requested names that are taken or invalid.
        case refusedNames
        /// All requests of the surface by `challengeId`.
        case byChallengeID
    }

    /// The limits of one address; the minimum is that of the published site's server.
    package struct Rates: Sendable, Equatable {
        package var signUps: RateLimit
        package var signIns: RateLimit
        package var requests: RateLimit

        /// `signUps` limits options for new passkeys by the cookie, `signIns` each kind of its other requests, and
        /// `requests` all by `challengeId`.
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

    private let rates: Rates
    private let clock: any MonotonicClock
    private let key: KeyedHash
    private let used = UseTable(stripes: 16, setsPerStripe: 64)

    package init(environment: Environment, rates: Rates) {
        self.rates = rates
        clock = environment.clock
        key = KeyedHash(randomFrom: environment)
    }

    func admit(_ kind: Kind, from address: NetworkAddress?) throws(APIError) {
        if let wait = used.take(use(kind, address), rates.limit(kind), at: clock.now) {
            throw .rateLimited(for: wait, by: .passkeysPerAddress)
        }
    }

    /// Throws where ``admit(_:from:)`` would, and counts nothing.
    func check(_ kind: Kind, from address: NetworkAddress?) throws(APIError) {
        if let wait = used.wait(use(kind, address), rates.limit(kind), at: clock.now) {
            throw .rateLimited(for: wait, by: .passkeysPerAddress)
        }
    }

    private func use(_ kind: Kind, _ address: NetworkAddress?) -> UInt64 {
        key.digest([kind.rawValue], address?.counted.bytes ?? []).prefixWord
    }
}
