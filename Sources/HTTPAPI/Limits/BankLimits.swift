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

    init(sharing: LimitSharing, addresses: ClientAddresses) {
        keys = LimitKeys(sharing)
        starts = Limiter(.banks, RateLimit(burst: 20, every: .seconds(30)), part: "starts", sharing: sharing)
        syncs = Limiter(.banks, RateLimit(burst: 20, every: .seconds(15)), part: "syncs", sharing: sharing)
        returns = Limiter(.banks, RateLimit(burst: 200, every: .milliseconds(500)), part: "returns", sharing: sharing)
        self.addresses = addresses
    }

    func admitStart(by account: AccountID) async throws(APIError) { try await starts.take(keys.key(account)) }

    func admitSync(by account: AccountID) async throws(APIError) { try await syncs.take(keys.key(account)) }

    func admitReturn(_ request: Request, _ context: APIContext) async throws(APIError) {
        try await returns.take(keys.key(addresses.client(of: request, context)))
    }
}
