// Admin: what operators can ask of the daemon, one file a command.
// Owns each command's request, handler, reply, names, options, printing and timeout.
// Knows no socket and no HTTP: generic code serves and prints the table.
// Survives a client of another version: unknown requests and replies are reported, not guessed.
// A command that changes an account, a client or a session leaves an audit row.

/// All commands, in groups, in the order in which the command line lists them.
package enum AdminTable {
    package static let accounts: [any AdminCommand.Type] = [
        AddAccount.self, ListAccounts.self, ShowAccount.self, ChangeAccount.self, EnrollAccount.self,
        DisableAccount.self, EnableAccount.self, ImportAccounts.self,
    ]
    package static let devices: [any AdminCommand.Type] = [ListDevices.self, RevokeDevice.self]
    package static let passkeys: [any AdminCommand.Type] = [ListPasskeys.self, RemovePasskey.self]
    package static let consents: [any AdminCommand.Type] = [ListConsents.self, WithdrawConsent.self]
    package static let operations: [any AdminCommand.Type] = [
        ListOperations.self, ShowOperation.self, ListOperationEvents.self, ListExchanges.self,
        CancelOperation.self,
    ]
    package static let providers: [any AdminCommand.Type] = [
        ListProviders.self, PingProvider.self, PauseProvider.self, ResumeProvider.self, PreviewPause.self,
    ]
    package static let sessions: [any AdminCommand.Type] = [
        ListSessions.self, RevokeSession.self, RevokeSessions.self, PreviewRemedy.self,
    ]
    package static let keys: [any AdminCommand.Type] = [ListKeys.self, RotateKeys.self, RetireKey.self]
    package static let audit: [any AdminCommand.Type] = [
        VerifyAudit.self, ListAudit.self, CheckpointAudit.self, ShowAuditKey.self,
    ]
    package static let mail: [any AdminCommand.Type] = [ListMail.self, FlushMail.self, TestMail.self]
    package static let notices: [any AdminCommand.Type] = [ListNotices.self, FlushNotices.self]
    package static let nodes: [any AdminCommand.Type] = [ListNodes.self, DrainNode.self]
    package static let clients: [any AdminCommand.Type] = [
        AddClient.self, ListClients.self, ShowClient.self, RotateClientSecret.self, DisableClient.self,
        EnableClient.self, SetClient.self, RemoveClient.self, EndClientSessions.self, OpenClientRegistration.self,
    ]
    package static let status: [any AdminCommand.Type] = [ShowStatus.self]
    package static let settings: [any AdminCommand.Type] = [ListSettings.self]

    package static let all = groups.flatMap(\.commands)

    /// The groups by the first word of their commands on the command line; ``status`` has no such word.
    package static let groups: [(name: String, commands: [any AdminCommand.Type])] = [
        ("accounts", accounts), ("devices", devices), ("passkeys", passkeys), ("consents", consents),
        ("operations", operations), ("provider", providers), ("sessions", sessions), ("keys", keys), ("audit", audit),
        ("mail", mail),
        ("notices", notices), ("nodes", nodes), ("clients", clients), ("", status), ("config", settings),
    ]

    /// The commands by their names on the socket.
    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
