package import Accounts
package import Kernel

/// The use cases that commands call, in the daemon or in the command's own process.
package struct AdminServices: CommandExecutor {
    package var accounts: AccountService
    let access: AccessAdministration
    let faceLogin: FaceLoginAdministration
    let clients: ClientAdministration
    package var keys: KeyAdministration
    let audit: any AuditAdministration
    let daemon: DaemonAdministration
    let environment: Environment

    package init(
        accounts: AccountService,
        access: AccessAdministration,
        faceLogin: FaceLoginAdministration,
        clients: ClientAdministration,
        keys: KeyAdministration,
        audit: any AuditAdministration,
        daemon: DaemonAdministration,
        environment: Environment
    ) {
        self.accounts = accounts
        self.access = access
        self.faceLogin = faceLogin
        self.clients = clients
        self.keys = keys
        self.audit = audit
        self.daemon = daemon
        self.environment = environment
    }

    var mail: any MailAdministration { daemon.mail }
    var notices: NoticeAdministration { daemon.notices }
    var nodes: NodeAdministration { daemon.nodes }

    /// Runs a command.
    ///
    /// - Throws: ``AdminError`` for an expected refusal, otherwise the error of the database or of the key files.
    package func execute<Command: AdminCommand>(_ command: Command) async throws -> Command.Reply {
        do { return try await command.handle(self) } catch { throw AdminError(error) ?? error }
    }
}
