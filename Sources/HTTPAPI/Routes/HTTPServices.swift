package import CoreMetrics
package import Kernel
package import Logging
package import Operations
package import Tokens
package import Wallet

/// The use cases that routes call, by feature.
///
/// Routes open no unit of work: everything that needs one is a use case. Two stores are here besides the use cases.
/// Routes only read ``OAuthServices/grants``. The sign-in page writes ``PasskeyServices/descents`` in the unit of work
/// of the passkey's use case.
package struct HTTPServices: Sendable {
    package let core: CoreServices
    package let operations: OperationServices
    package let accounts: AccountServices
    package let sessions: SessionServices
    package let devices: DeviceServices
    package let passkeys: PasskeyServices
    package var oauth: OAuthServices
    package let wallet: WalletServices

    package init(
        core: CoreServices,
        operations: OperationServices,
        accounts: AccountServices,
        sessions: SessionServices,
        devices: DeviceServices,
        passkeys: PasskeyServices,
        oauth: OAuthServices,
        wallet: WalletServices
    ) {
        self.core = core
        self.operations = operations
        self.accounts = accounts
        self.sessions = sessions
        self.devices = devices
        self.passkeys = passkeys
        self.oauth = oauth
        self.wallet = wallet
    }
}

/// The services that all features need.
package struct CoreServices: Sendable {
    package let environment: Environment
    package let logger: Logger
    /// `nil` records no metrics.
    package let metrics: (any MetricsFactory)?
    package let keys: KeyRing
    package let keyFolder: KeyFolder
    package let readiness: ReadinessServices
    package let usedMarks: UsedMarks

    package init(
        environment: Environment,
        logger: Logger,
        metrics: (any MetricsFactory)?,
        keys: KeyRing,
        keyFolder: KeyFolder,
        readiness: ReadinessServices,
        usedMarks: UsedMarks
    ) {
        self.environment = environment
        self.logger = logger
        self.metrics = metrics
        self.keys = keys
        self.keyFolder = keyFolder
        self.readiness = readiness
        self.usedMarks = usedMarks
    }
}

/// What `/readyz` asks.
package struct ReadinessServices: Sendable {
    /// Counts the answers.
    package let counts: ReadinessCounts
    /// Throws while the database cannot be written.
    package let checkStore: @Sendable () async throws -> Void
    /// The clock of the database's server; `nil` for a database on this machine's disk.
    package let databaseClock: DatabaseClock?
    /// What this daemon knows of those that share its database.
    package let peers: @Sendable () -> Peers

    package init(
        counts: ReadinessCounts,
        checkStore: @escaping @Sendable () async throws -> Void,
        databaseClock: DatabaseClock?,
        peers: @escaping @Sendable () -> Peers
    ) {
        self.counts = counts
        self.checkStore = checkStore
        self.databaseClock = databaseClock
        self.peers = peers
    }
}

/// Face logins, and all other operations that a face decides.
package struct OperationServices: Sendable {
    package let service: OperationService
    package let webhooks: WebhookIntake

    package init(
        service: OperationService,
        webhooks: WebhookIntake
    ) {
        self.service = service
        self.webhooks = webhooks
    }
}

/// Banks, cards and payments.
package struct WalletServices: Sendable {
    package let banks: BankService
    package let cards: CardService
    package let payments: PaymentService

    package init(
        banks: BankService,
        cards: CardService,
        payments: PaymentService
    ) {
        self.banks = banks
        self.cards = cards
        self.payments = payments
    }
}
