package import Admin
import Kernel
import Operations
import Settings

/// The administration, for the daemon's socket or for a command while the daemon is stopped.
extension Composition {
    /// The services that run commands.
    package var administration: AdminServices {
        AdminServices(
            accounts: accounts,
            access: AccessAdministration(
                devices: devices.owned,
                passkeys: passkeys.owned,
                sessions: sessions,
                ending: ending,
                unitOfWork: unitOfWork
            ),
            faceLogin: FaceLoginAdministration(operations: service) { [settings, service] in
                settings.providerViews(health: service.providerHealth)
            },
            clients: ClientAdministration(service: oauth.clients, configured: Set(settings.clients.map(\.id))),
            keys: KeyAdministration(ring: keys, record: keyAuditLog.handOver),
            audit: audit,
            daemon: DaemonAdministration(
                mail: mail,
                nodes: nodeAdministration
            ),
            environment: environment
        )
    }

    private var nodeAdministration: NodeAdministration {
        let registry = stores.upkeep.registry
        return NodeAdministration(
            registry: registry,
            membership: stores.upkeep.nodes,
            draining: NodeDraining(registry: registry, unitOfWork: unitOfWork, auditLog: audit.chain)
        )
    }

    var keyAuditLog: KeyAuditLog {
        KeyAuditLog(keys: keys, chain: audit.chain, unitOfWork: unitOfWork, logger: logger)
    }
}
