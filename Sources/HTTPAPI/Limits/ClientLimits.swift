import Kernel
import OAuth
import Operations

/// The limits of failed client authentications and of registrations.
///
/// Failures are counted by client and address together: nobody locks a client out from elsewhere, and neighbours do not
/// pay for each other.
final class ClientLimits: Sendable {
    private let keys: LimitKeys
    private let failures: Limiter
    private let registrations: Limiter

    init(environment: Environment) {
        keys = LimitKeys(environment)
        // A client with a wrong secret in its own config stays below this limit for a few minutes.
        failures = Limiter(.failedClients, RateLimit(burst: 20, every: .seconds(3)), clock: environment.clock)
        registrations = Limiter(
            .clientRegistrations,
            RateLimit(burst: 20, every: .seconds(30)),
            clock: environment.clock
        )
    }

    /// The key that counts an attempt.
    struct Attempt: Sendable {
        fileprivate let key: UInt64
    }

    func attempt(of credentials: ClientCredentials, from address: NetworkAddress?) -> Attempt {
        Attempt(key: keys.key(address, credentials.namedClient ?? ""))
    }

    func admit(_ attempt: Attempt) throws(APIError) { try failures.check(attempt.key) }

    func noteFailure(_ attempt: Attempt) { failures.note(attempt.key) }

    /// Takes one of the registrations that an address may try, whether it succeeds or not.
    func admitRegistration(from address: NetworkAddress?) throws(APIError) { try registrations.take(keys.key(address)) }
}
