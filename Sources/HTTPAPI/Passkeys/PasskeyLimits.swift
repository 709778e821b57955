import Crypto
import Hummingbird
package import Kernel
import Operations

/// What bounds how often one address asks for passkeys' options and answers them.
package final class PasskeyLimits: Sendable {
    /// What is counted, each for itself.
    enum Kind: UInt8, Sendable {
        case registrationOptions, registration, signInOptions, signIn
        /// All requests of the surface by `challengeId`.
        case byChallengeID

        fileprivate var limit: RateLimit {
            switch self {
            case .registrationOptions: RateLimit(burst: 5, every: .seconds(180))
            case .registration, .signInOptions, .signIn: RateLimit(burst: 10, every: .seconds(90))
            case .byChallengeID: RateLimit(burst: 60, every: .seconds(1))
            }
        }
    }

    private let clock: any MonotonicClock
    private let key: HMAC<SHA256>
    private let used = UseTable(stripes: 16, setsPerStripe: 64)

    package init(facts: Facts) {
        clock = facts.clock
        key = HMAC(key: SymmetricKey(data: facts.randomBytes(32)))
    }

    func admit(_ kind: Kind, from address: NetworkAddress?) throws(Problem) {
        var mac = key
        mac.update(data: [kind.rawValue])
        mac.update(data: address?.counted.bytes ?? [])
        let use = mac.finalize().withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        if let wait = used.take(use, kind.limit, at: clock.now) { throw .tooMany(for: wait, by: .passkeysPerAddress) }
    }
}
