import Kernel
import OAuth
import Operations

/// The limits of failed client authentications and of registrations.
///
/// Failures are counted by client and address together. So nobody elsewhere can lock a client out, and clients that
/// share an address do not affect each other.
final class ClientLimits: Sendable {
    private let keys: LimitKeys
    private let failures: Limiter
    private let registrations: Limiter

    init(environment: Environment) {
        keys = LimitKeys(environment)
        // A client whose own config has a wrong secret stays below this limit for a few minutes.
        failures = Limiter(.failedClients, RateLimit(burst: 20, every: .seconds(3)), clock: environment.clock)
        registrations = Limiter(
            .clientRegistrations,
            RateLimit(burst: 20, every: .seconds(30)),
            clock: environment.clock
        )
    }

    /// The key by which an attempt is counted.
    struct Attempt: Sendable {
        fileprivate let key: UInt64
    }

    func attempt(of credentials: ClientCredentials, from address: NetworkAddress?) -> Attempt {
        Attempt(key: keys.key(address, credentials.namedClient ?? ""))
    }

    func admit(_ attempt: Attempt) throws(APIError) { try failures.check(attempt.key) }

    func noteFailure(_ attempt: Attempt) { failures.note(attempt.key) }

    /// Counts an attempt to register against its address, whether the attempt succeeds or not.
    func admitRegistration(from address: NetworkAddress?) throws(APIError) { try registrations.take(keys.key(address)) }
}
