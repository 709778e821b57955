import Hummingbird
import Kernel
import Operations

/// Limits the bank enrolments and syncs of an account, and the returns from a bank to an address.
final class BankLimits: Sendable {
    private let keys: LimitKeys
    private let addresses: ClientAddresses
    /// The started enrolments of one account, at all banks.
    private let starts: Limiter
    /// The syncs of one account, at all banks; each calls a bank one to three times.
    private let syncs: Limiter
    /// The returns and answers from one address, which many people may share; each reads the database.
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
