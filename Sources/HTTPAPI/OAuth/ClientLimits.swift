import Crypto
import Hummingbird
package import Kernel
import OAuth
import Operations

/// What bounds how often a client may fail to show itself from one address.
///
/// By both, so that nobody can lock a client out from elsewhere, and neighbours don't pay for each other.
package final class ClientLimits: Sendable {
    /// What a wrong secret in a config of the client's own makes in a few minutes stays below it.
    private static let failures = RateLimit(burst: 20, every: .seconds(3))

    private let clock: any MonotonicClock
    /// Made anew for each process: who chooses a `client_id` can't choose where it is counted.
    private let key: HMAC<SHA256>
    private let failed = UseTable(stripes: 16, setsPerStripe: 64)

    package init(facts: Facts) {
        clock = facts.clock
        key = HMAC(key: SymmetricKey(data: facts.randomBytes(32)))
    }

    /// What an attempt is counted by.
    struct Attempt: Sendable {
        fileprivate let key: UInt64
    }

    func attempt(of credentials: ClientCredentials, from address: NetworkAddress?) -> Attempt {
        var mac = key
        mac.update(data: address?.counted.bytes ?? [])
        mac.update(data: [0])
        mac.update(data: Array((credentials.namedClient ?? "").utf8))
        return Attempt(key: mac.finalize().withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
    }

    func admit(_ attempt: Attempt) throws(Problem) {
        guard let wait = failed.wait(attempt.key, Self.failures, at: clock.now) else { return }
        throw .tooMany(for: wait, by: .failedClients)
    }

    func noteFailure(_ attempt: Attempt) { _ = failed.take(attempt.key, Self.failures, at: clock.now) }
}
