package import Accounts
package import CoreMetrics
package import Devices
package import Kernel
package import Logging
package import OAuth
package import Operations
package import Passkeys
package import Sessions
package import SignIn
package import Tokens
package import Wallet

/// The use cases that routes call, by feature.
///
/// Routes open no unit of work: whatever needs one comes as a use case that is ready to be called.
package struct HTTPServices: Sendable {
    package var core: CoreServices
    package var operations: OperationServices
    package var accounts: AccountServices
    package var sessions: SessionServices
    package var devices: DeviceServices
    package var passkeys: PasskeyServices
    package var oauth: OAuthServices
    package var wallet: WalletServices

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

/// The base of all features.
package struct CoreServices: Sendable {
    package var environment: Environment
    package var logger: Logger
    /// `nil` measures nothing.
    package var metrics: (any MetricsFactory)?
    package var keys: KeyRing
    package var keyFolder: KeyFolder
    /// Counts the answers of `/readyz`.
    package var readiness: ReadinessCounts
    /// Throws while nothing can be written.
    package var checkStore: @Sendable () async throws -> Void

    package init(
        environment: Environment,
        logger: Logger,
        metrics: (any MetricsFactory)?,
        keys: KeyRing,
        keyFolder: KeyFolder,
        readiness: ReadinessCounts,
        checkStore: @escaping @Sendable () async throws -> Void
    ) {
        self.environment = environment
        self.logger = logger
        self.metrics = metrics
        self.keys = keys
        self.keyFolder = keyFolder
        self.readiness = readiness
        self.checkStore = checkStore
    }
}

/// Face logins, and everything else that a face decides.
package struct OperationServices: Sendable {
    package var service: OperationService
    package var webhooks: WebhookIntake

    package init(
        service: OperationService,
        webhooks: WebhookIntake
    ) {
        self.service = service
        self.webhooks = webhooks
    }
}

/// Accounts, and the sign-ins by what a person knows.
package struct AccountServices: Sendable {
    package var accounts: AccountService
    package var registrations: RegistrationService
    package var opening: AccountOpening
    package var passwords: PasswordService
    package var passwordSignIn: PasswordSignIn
    package var passwordChange: PasswordChange
    package var linked: LinkedDevices
    package var mail: MailProofServices

    package init(
        accounts: AccountService,
        registrations: RegistrationService,
        opening: AccountOpening,
        passwords: PasswordService,
        passwordSignIn: PasswordSignIn,
        passwordChange: PasswordChange,
        linked: LinkedDevices,
        mail: MailProofServices
    ) {
        self.accounts = accounts
        self.registrations = registrations
        self.opening = opening
        self.passwords = passwords
        self.passwordSignIn = passwordSignIn
        self.passwordChange = passwordChange
        self.linked = linked
        self.mail = mail
    }
}

/// The proofs by mail: sign-in codes, and the ownership of addresses.
package struct MailProofServices: Sendable {
    package var codes: EmailCodeService
    package var addresses: AddressProofService
    package var signIn: MailedCodeSignIn

    package init(
        codes: EmailCodeService,
        addresses: AddressProofService,
        signIn: MailedCodeSignIn
    ) {
        self.codes = codes
        self.addresses = addresses
        self.signIn = signIn
    }
}

/// Sessions: their tokens, their refreshes and their ends.
package struct SessionServices: Sendable {
    package var sessions: SessionService
    package var browsers: WebSessionService
    package var tokens: TokenSet
    /// The families of the config's clients.
    package var refreshes: RefreshService
    package var signOut: SignOut
    package var browserSignIn: BrowserSignIn
    package var deviceCookies: DeviceCookieFactory
    /// The devices that accounts have signed in on.
    package var links: DeviceLinks

    package init(
        sessions: SessionService,
        browsers: WebSessionService,
        tokens: TokenSet,
        refreshes: RefreshService,
        signOut: SignOut,
        browserSignIn: BrowserSignIn,
        deviceCookies: DeviceCookieFactory,
        links: DeviceLinks
    ) {
        self.sessions = sessions
        self.browsers = browsers
        self.tokens = tokens
        self.refreshes = refreshes
        self.signOut = signOut
        self.browserSignIn = browserSignIn
        self.deviceCookies = deviceCookies
        self.links = links
    }
}

/// Registered devices and their keys.
package struct DeviceServices: Sendable {
    package var registrar: DeviceRegistrar
    package var owned: OwnedDevices
    package var keys: DeviceKeyService
    package var signIn: DeviceKeySignIn

    package init(
        registrar: DeviceRegistrar,
        owned: OwnedDevices,
        keys: DeviceKeyService,
        signIn: DeviceKeySignIn
    ) {
        self.registrar = registrar
        self.owned = owned
        self.keys = keys
        self.signIn = signIn
    }
}

/// Passkeys: their ceremonies, their owners and their sign-ins.
package struct PasskeyServices: Sendable {
    package var service: PasskeyService
    package var owned: OwnedPasskeys
    package var changes: PasskeyChange
    package var signIn: PasskeySignIn
    package var descents: any DescentStore
    /// Hashes addresses for this process alone, so that no row reveals one.
    package var sourceKey: Secret

    package init(
        service: PasskeyService,
        owned: OwnedPasskeys,
        changes: PasskeyChange,
        signIn: PasskeySignIn,
        descents: any DescentStore,
        sourceKey: Secret
    ) {
        self.service = service
        self.owned = owned
        self.changes = changes
        self.signIn = signIn
        self.descents = descents
        self.sourceKey = sourceKey
    }
}

/// The authorization server, and the broker in front of other ones.
package struct OAuthServices: Sendable {
    package var clients: ClientServices
    package var grants: any OAuthGrantStore
    /// The families of the authorization server's clients.
    package var refreshes: RefreshService
    package var authorization: AuthorizationServices
    package var deviceFlow: DeviceFlowServices
    package var backchannel: BackchannelServices
    /// `nil` where the config names none.
    package var upstreams: UpstreamServices?

    package init(
        clients: ClientServices,
        grants: any OAuthGrantStore,
        refreshes: RefreshService,
        authorization: AuthorizationServices,
        deviceFlow: DeviceFlowServices,
        backchannel: BackchannelServices,
        upstreams: UpstreamServices?
    ) {
        self.clients = clients
        self.grants = grants
        self.refreshes = refreshes
        self.authorization = authorization
        self.deviceFlow = deviceFlow
        self.backchannel = backchannel
        self.upstreams = upstreams
    }
}

/// The clients of the authorization server.
package struct ClientServices: Sendable {
    package var directory: OAuthClientDirectory
    package var registrations: ClientService
    package var authenticator: ClientAuthenticator

    package init(
        directory: OAuthClientDirectory,
        registrations: ClientService,
        authenticator: ClientAuthenticator
    ) {
        self.directory = directory
        self.registrations = registrations
        self.authenticator = authenticator
    }
}

/// Authorization requests, from the first one to the redemption of the code.
package struct AuthorizationServices: Sendable {
    package var service: AuthorizationService
    package var reader: AuthorizationRequestReader
    package var pushed: PushedRequests
    package var codes: CodeIssuing
    package var redemption: CodeRedemption

    package init(
        service: AuthorizationService,
        reader: AuthorizationRequestReader,
        pushed: PushedRequests,
        codes: CodeIssuing,
        redemption: CodeRedemption
    ) {
        self.service = service
        self.reader = reader
        self.pushed = pushed
        self.codes = codes
        self.redemption = redemption
    }
}

/// Devices without a browser (RFC 8628).
package struct DeviceFlowServices: Sendable {
    package var service: DeviceFlowService
    package var decisions: DeviceDecisions
    package var redemption: DeviceCodeRedemption

    package init(
        service: DeviceFlowService,
        decisions: DeviceDecisions,
        redemption: DeviceCodeRedemption
    ) {
        self.service = service
        self.decisions = decisions
        self.redemption = redemption
    }
}

/// Requests of clients whose person is elsewhere (CIBA).
package struct BackchannelServices: Sendable {
    package var service: BackchannelService
    package var tickets: BackchannelTickets
    /// Signed requests that were used.
    package var memory: AssertionMemory
    package var door: Door

    package init(
        service: BackchannelService,
        tickets: BackchannelTickets,
        memory: AssertionMemory,
        door: Door
    ) {
        self.service = service
        self.tickets = tickets
        self.memory = memory
        self.door = door
    }
}

/// The broker, with the upstreams by the operator's names.
package struct UpstreamServices: Sendable {
    package var service: BrokerService
    package var upstreams: [String: Upstream]

    package init(
        service: BrokerService,
        upstreams: [String: Upstream]
    ) {
        self.service = service
        self.upstreams = upstreams
    }
}

/// Banks, cards and payments.
package struct WalletServices: Sendable {
    package var banks: BankService
    package var cards: CardService
    package var payments: PaymentService

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
