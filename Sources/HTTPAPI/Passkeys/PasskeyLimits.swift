import Hummingbird
package import Kernel
import Operations

/// What bounds how often one address asks for passkeys' options and answers them.
package final class PasskeyLimits: Sendable {
    /// What is counted, each for itself.
    enum Kind: UInt8, Sendable {
        case registrationOptions, registration, signInOptions, signIn
        /// Names that somebody would like to have, and that are taken or no names.
        case refusedNames
        /// All requests of the surface by `challengeId`.
        case byChallengeID
    }

    /// What one address gets; the least is what the published site's server gave it.
    package struct Rates: Sendable, Equatable {
        package var signUps: RateLimit
        package var signIns: RateLimit
        package var requests: RateLimit

        /// `signUps`: options to make a passkey by the cookie; `signIns`: its other requests of ceremonies, each for
        /// itself; `requests`: all by `challengeId`.
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

    /// Goes on where ``admit(_:from:)`` would, and takes nothing.
    func check(_ kind: Kind, from address: NetworkAddress?) throws(APIError) {
        if let wait = used.wait(use(kind, address), rates.limit(kind), at: clock.now) {
            throw .rateLimited(for: wait, by: .passkeysPerAddress)
        }
    }

    private func use(_ kind: Kind, _ address: NetworkAddress?) -> UInt64 {
        key.digest([kind.rawValue], address?.counted.bytes ?? []).prefixWord
    }
}
