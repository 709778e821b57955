import Hummingbird
import Kernel
import OAuth
import Operations

/// The limits of failed client authentications and of registrations.
///
/// Failures are counted by client and address together: nobody locks a client out from elsewhere, and neighbours do not
/// pay for each other.
package final class ClientLimits: Sendable {
    /// A client with a wrong secret in its own config stays below this limit for a few minutes.
    private static let failures = RateLimit(burst: 20, every: .seconds(3))

    private static let registrations = RateLimit(burst: 20, every: .seconds(30))

    private let clock: any MonotonicClock
    /// Random for each process: a caller that chooses a `client_id` cannot choose its slot in the table.
    private let key: KeyedHash
    private let failed = UseTable(stripes: 16, setsPerStripe: 64)
    private let registered = UseTable(stripes: 16, setsPerStripe: 64)

    package init(environment: Environment) {
        clock = environment.clock
        key = KeyedHash(randomFrom: environment)
    }

    /// The key that counts an attempt.
    struct Attempt: Sendable {
        fileprivate let key: UInt64
    }

    func attempt(of credentials: ClientCredentials, from address: NetworkAddress?) -> Attempt {
        Attempt(key: use(by: address, credentials.namedClient ?? ""))
    }

    func admit(_ attempt: Attempt) throws(APIError) {
        guard let wait = failed.wait(attempt.key, Self.failures, at: clock.now) else { return }
        throw .rateLimited(for: wait, by: .failedClients)
    }

    func noteFailure(_ attempt: Attempt) { _ = failed.take(attempt.key, Self.failures, at: clock.now) }

    /// Takes one of the registrations that an address may try, whether it succeeds or not.
    func admitRegistration(from address: NetworkAddress?) throws(APIError) {
        if let wait = registered.take(use(by: address, ""), Self.registrations, at: clock.now) {
            throw .rateLimited(for: wait, by: .clientRegistrations)
        }
    }

    private func use(by address: NetworkAddress?, _ client: String) -> UInt64 {
        let address = address?.counted.bytes ?? []
        return key.digest([UInt8(address.count)], address, Array(client.utf8)).prefixWord
    }
}
