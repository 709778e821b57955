import Hummingbird
import Kernel
import Operations

/// Limits how often an account starts at a bank or has one synced, and how often an address returns from one.
///
/// The limits are in memory, of a fixed size, by digests whose key belongs to this process.
package final class BankLimits: Sendable {
    /// Starts of one account, at all banks.
    private static let starts = RateLimit(burst: 20, every: .seconds(30))
    /// Syncs of one account, at all banks: each is one to three calls to a bank.
    private static let syncs = RateLimit(burst: 20, every: .seconds(15))
    /// Returns and answers from one address, which many people may share: each is looked up in the store.
    private static let returns = RateLimit(burst: 200, every: .milliseconds(500))

    private let clock: any MonotonicClock
    private let key: KeyedHash
    private let addresses: ClientAddresses
    private let table = UseTable(stripes: 16, setsPerStripe: 64)

    package init(environment: Environment, addresses: ClientAddresses) {
        clock = environment.clock
        key = KeyedHash(randomFrom: environment)
        self.addresses = addresses
    }

    func admitStart(by account: AccountID) throws(APIError) {
        try take(Self.starts, purpose: "start", of: account.bits.bytes)
    }

    func admitSync(by account: AccountID) throws(APIError) {
        try take(Self.syncs, purpose: "sync", of: account.bits.bytes)
    }

    func admitReturn(_ request: Request, _ context: APIContext) throws(APIError) {
        try take(Self.returns, purpose: "return", of: addresses.client(of: request, context)?.counted.bytes ?? [])
    }

    private func take(_ limit: RateLimit, purpose: String, of bytes: [UInt8]) throws(APIError) {
        let slot = key.digest(bytes, purpose: purpose).prefixWord
        if let wait = table.take(slot, limit, at: clock.now) { throw .rateLimited(for: wait, by: .banks) }
    }
}
