package import Accounts
package import Devices
package import Kernel
package import OAuth
package import Operations
package import Passkeys
package import Sessions
package import SignIn
package import Tokens

/// The use cases that commands are carried out by, in the daemon or in the command's own process.
package struct AdminServices: CommandExecutor {
    package var accounts: AccountService
    let operations: OperationService
    let devices: OwnedDevices
    let passkeys: OwnedPasskeys
    let sessions: SessionService
    let ending: EndingService
    let unitOfWork: any UnitOfWork
    let keys: KeyRing
    let environment: Environment
    let audit: any AuditAdministration
    let mail: any MailAdministration
    let clients: ClientService
    /// The ids of the config's clients, also of those that speak no OAuth.
    let configuredClients: Set<String>
    let providers: @Sendable () -> [ProviderView]
    /// Writes changes of keys to the audit; what can't be written waits, because the key has changed already.
    package var recordKeys: @Sendable () async -> Void

    package init(
        accounts: AccountService,
        operations: OperationService,
        devices: OwnedDevices,
        passkeys: OwnedPasskeys,
        sessions: SessionService,
        ending: EndingService,
        unitOfWork: any UnitOfWork,
        keys: KeyRing,
        environment: Environment,
        audit: any AuditAdministration,
        mail: any MailAdministration,
        clients: ClientService,
        configuredClients: Set<String>,
        providers: @escaping @Sendable () -> [ProviderView],
        recordKeys: @escaping @Sendable () async -> Void
    ) {
        self.accounts = accounts
        self.operations = operations
        self.devices = devices
        self.passkeys = passkeys
        self.sessions = sessions
        self.ending = ending
        self.unitOfWork = unitOfWork
        self.keys = keys
        self.environment = environment
        self.audit = audit
        self.mail = mail
        self.clients = clients
        self.configuredClients = configuredClients
        self.providers = providers
        self.recordKeys = recordKeys
    }

    /// Carries a command out.
    ///
    /// - Throws: ``AdminError`` for an expected refusal, otherwise the store's or the keys' fault.
    package func execute<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply {
        do { return try await command.handle(self) } catch { throw AdminError(error) ?? error }
    }
}
