import HTTPAPI

/// Which commands may be the first that a data folder sees: they make it with its keys and its database, as `serve` and
/// `migrate` do.
///
/// Accounts are added before the first start, by whoever sets a server up and by the benches. All others ask for what a new
/// folder can't have, so that one which isn't there is a mistyped `--data`: an empty answer would hide that, and new keys in
/// the wrong place would be taken for the real ones.
extension AdminRequest {
    var mayMakeData: Bool {
        switch self {
        case .addAccount, .importAccounts: true
        case .listAccounts, .showAccount, .disableAccount, .enableAccount, .changeAccount, .enrollAccount,
            .listOperations, .showOperation, .cancelOperation, .listProviders, .listSessions, .revokeSession,
            .revokeSessions, .listKeys, .rotateKeys, .retireKey, .verifyAudit, .listAudit, .checkpointAudit, .auditKey,
            .listMail, .flushMail, .testMail, .listDevices, .revokeDevice, .listPasskeys, .removePasskey, .addClient,
            .listClients, .showClient, .rotateClientSecret, .disableClient, .enableClient, .signOutClient,
            .openClientRegistration:
            false
        }
    }
}
