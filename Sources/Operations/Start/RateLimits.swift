package import Kernel

/// The request is beyond a limit; `retryAfter` is the time to wait before the next one.
package struct LimitExceededError: Error, Equatable, Sendable {
    package let limit: Limit
    package let retryAfter: Duration
}

/// The configurable limits, by their names in metrics, the audit and the config.
package enum Limit: String, Sendable, CaseIterable {
    /// Starts from one address.
    case initiatePerAddress = "initiate_per_address"
    /// Starts for one account by callers without a linked device.
    case initiatePerAccount = "initiate_per_account"
    /// Polls of one login by its rightful caller.
    case pollsPerOperation = "polls_per_operation"
    /// Polls of unknown ids and of other callers' logins, from one address.
    case strangersPerAddress = "strangers_per_address"
    /// Requests for scans on landing pages, from one address.
    case openingsPerAddress = "openings_per_address"
    /// Registrations of accounts from one address.
    case registrationsPerAddress = "registrations_per_address"
    /// Sign-ins by a password or a code from one address, because each costs work, whether right or wrong.
    case signInsPerAddress = "sign_ins_per_address"
    /// Requests of one session for the owner's view.
    case ownerViewsPerSession = "owner_views_per_session"
    /// Requests from one address for mails with a link that proves an e-mail address.
    case proofMailsPerAddress = "proof_mails_per_address"
    /// Mails to one mailbox with a link that proves an e-mail address.
    case proofMailsPerMailbox = "proof_mails_per_mailbox"
    /// Backchannel requests of one client for all persons.
    case backchannelPerClient = "backchannel_per_client"
}

/// The values of the limits, with defaults for a laptop.
package struct LimitRates: Sendable, Equatable {
    package var logins = LoginRates()
    package var accounts = AccountRates()

    package init() {}

    subscript(limit: Limit) -> RateLimit {
        switch limit {
        case .initiatePerAddress: logins.initiatePerAddress
        case .initiatePerAccount: logins.initiatePerAccount
        case .pollsPerOperation: logins.pollsPerOperation
        case .strangersPerAddress: logins.strangersPerAddress
        case .openingsPerAddress: logins.openingsPerAddress
        case .backchannelPerClient: logins.backchannelPerClient
        case .registrationsPerAddress: accounts.registrationsPerAddress
        case .signInsPerAddress: accounts.signInsPerAddress
        case .ownerViewsPerSession: accounts.ownerViewsPerSession
        case .proofMailsPerAddress: accounts.proofMailsPerAddress
        case .proofMailsPerMailbox: accounts.proofMailsPerMailbox
        }
    }
}

/// The values of the limits of face logins.
package struct LoginRates: Sendable, Equatable {
    package var initiatePerAddress = RateLimit(burst: 300, every: .milliseconds(200))
    package var initiatePerAccount = RateLimit(burst: 15, every: .seconds(60))
    package var pollsPerOperation = RateLimit(burst: 20, every: .milliseconds(200))
    package var strangersPerAddress = RateLimit(burst: 200, every: .milliseconds(50))
    package var openingsPerAddress = RateLimit(burst: 300, every: .milliseconds(200))
    package var backchannelPerClient = RateLimit(burst: 120, every: .milliseconds(100))
    /// How long an initiator gets decoys after a person said "This wasn't me".
    package var quietPeriod: Duration = .seconds(15 * 60)
}

/// The values of the limits of accounts, for requests of their owners and of visitors.
package struct AccountRates: Sendable, Equatable {
    package var registrationsPerAddress = RateLimit(burst: 100, every: .seconds(36))
    package var signInsPerAddress = RateLimit(burst: 300, every: .milliseconds(500))
    package var ownerViewsPerSession = RateLimit(burst: 60, every: .seconds(1))
    package var proofMailsPerAddress = RateLimit(burst: 100, every: .seconds(36))
    package var proofMailsPerMailbox = RateLimit(burst: 5, every: .seconds(720))
}
