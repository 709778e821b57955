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
    /// Failures with unknown client ids from one address, which are counted in the database up to this limit.
    ///
    /// The ids are the caller's choice, and each would become a row.
    private let unknown: LimitTable
    private static let unknownRate = RateLimit(burst: 200, every: .milliseconds(50))

    init(sharing: LimitSharing) {
        keys = LimitKeys(sharing)
        // A client whose own config has a wrong secret stays below this limit for a few minutes.
        failures = Limiter(.failedClients, RateLimit(burst: 20, every: .seconds(3)), sharing: sharing)
        registrations = Limiter(.clientRegistrations, RateLimit(burst: 20, every: .seconds(30)), sharing: sharing)
        let table = UseTable(stripes: 16, setsPerStripe: 64)
        unknown = LimitTable("unknown_clients", scope: .divided, sharing: sharing, table: table)
    }

    /// The keys by which an attempt is counted.
    struct Attempt: Sendable {
        fileprivate let key: UInt64
        /// The key of the address, for an unknown client.
        fileprivate let address: UInt64?
    }

    /// `isKnown`: Whether there is a client with the id that the credentials name.
    func attempt(of credentials: ClientCredentials, isKnown: Bool, from address: NetworkAddress?) -> Attempt {
        Attempt(
            key: keys.key(address, credentials.namedClient ?? ""),
            address: isKnown ? nil : keys.key(address)
        )
    }

    /// Throws for a client that has failed too often, as far as this daemon knows.
    ///
    /// Polls and introspection come this way, and cost no statement. A daemon learns from its own next failure how often
    /// the others have seen the client fail.
    func admit(_ attempt: Attempt) throws(APIError) { try failures.checkHere(attempt.key) }

    func noteFailure(_ attempt: Attempt) async throws(APIError) {
        if let address = attempt.address, unknown.takeHere(address, Self.unknownRate) != nil {
            return failures.noteHere(attempt.key)
        }
        try await failures.note(attempt.key)
    }

    /// Counts an attempt to register against its address, whether the attempt succeeds or not.
    func admitRegistration(from address: NetworkAddress?) async throws(APIError) {
        try await registrations.take(keys.key(address))
    }
}
