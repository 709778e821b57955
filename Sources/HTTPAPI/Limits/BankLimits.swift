import Hummingbird
import Kernel
import Operations

/// Limits how often an account starts at a bank or has one synced, and how often an address returns from one.
final class BankLimits: Sendable {
    private let keys: LimitKeys
    private let addresses: ClientAddresses
    /// Starts of one account, at all banks.
    private let starts: Limiter
    /// Syncs of one account, at all banks: each is one to three calls to a bank.
    private let syncs: Limiter
    /// Returns and answers from one address, which many people may share: each is looked up in the store.
    private let returns: Limiter

    init(environment: Environment, addresses: ClientAddresses) {
        let clock = environment.clock
        keys = LimitKeys(environment)
        starts = Limiter(.banks, RateLimit(burst: 20, every: .seconds(30)), clock: clock)
        syncs = Limiter(.banks, RateLimit(burst: 20, every: .seconds(15)), clock: clock)
        returns = Limiter(.banks, RateLimit(burst: 200, every: .milliseconds(500)), clock: clock)
        self.addresses = addresses
    }

    func admitStart(by account: AccountID) throws(APIError) { try starts.take(keys.key(account)) }

    func admitSync(by account: AccountID) throws(APIError) { try syncs.take(keys.key(account)) }

    func admitReturn(_ request: Request, _ context: APIContext) throws(APIError) {
        try returns.take(keys.key(addresses.client(of: request, context)))
    }
}
