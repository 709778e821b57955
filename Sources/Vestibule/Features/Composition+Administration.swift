import Admin
import Operations
import Settings

/// The administration, by the socket or with the daemon stopped.
extension Composition {
    /// The services that carry out commands.
    var administration: AdminServices {
        AdminServices(
            accounts: accounts,
            operations: service,
            devices: devices.owned,
            passkeys: passkeys.owned,
            sessions: sessions,
            ending: ending,
            unitOfWork: unitOfWork,
            keys: keys,
            environment: environment,
            audit: audit,
            mail: mail,
            clients: oauth.clients,
            configuredClients: Set(settings.clients.map(\.id)),
            providers: { [settings, service] in settings.providerViews(health: service.providerHealth) },
            recordKeys: keyAuditLog.handOver
        )
    }

    var keyAuditLog: KeyAuditLog {
        KeyAuditLog(keys: keys, chain: audit.chain, unitOfWork: unitOfWork, logger: logger)
    }
}
