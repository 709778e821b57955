import HTTPAPI
import Operations
import Settings

/// What operators ask for, by the socket or with the daemon stopped.
extension Composition {
    /// What the command line's requests are carried out by.
    var administration: Administration {
        Administration(
            accounts: accounts,
            operations: desk,
            devices: devices.owned,
            passkeys: passkeys.owned,
            sessions: SessionAdministration(
                accounts: accounts,
                sessions: sessions,
                ending: ending,
                unitOfWork: unitOfWork,
                facts: facts
            ),
            keys: keys,
            facts: facts,
            audit: audit,
            mail: mail,
            clients: ClientAdministration(
                desk: oauth.clients,
                ending: ending,
                unitOfWork: unitOfWork,
                apps: Set(settings.clients.map(\.id))
            ),
            providers: { [settings, desk] in settings.providerViews(health: desk.providerHealth) },
            recordKeys: keyJournal.handOver
        )
    }

    var keyJournal: KeyJournal {
        KeyJournal(keys: keys, chain: audit.chain, unitOfWork: unitOfWork, logger: logger)
    }
}
