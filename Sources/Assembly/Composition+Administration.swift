package import Admin
import Kernel
import OAuth
import Operations
import Settings
import Web

/// The administration, for the daemon's socket or for a command while the daemon is stopped.
extension Composition {
    /// The services that run commands.
    package var administration: AdminServices { administration(showing: []) }

    /// Returns the services that run commands.
    ///
    /// `shown`: the settings in force, without secrets.
    package func administration(showing shown: [SettingView]) -> AdminServices {
        AdminServices(
            accounts: accounts,
            access: AccessAdministration(
                devices: devices.owned,
                passkeys: passkeys.owned,
                sessions: sessions,
                consents: consentWithdrawal,
                ending: ending,
                unitOfWork: unitOfWork
            ),
            faceLogin: FaceLoginAdministration(operations: service) { [settings, service] in
                settings.providerViews(health: service.providerHealth)
            },
            clients: ClientAdministration(
                service: oauth.clients,
                configured: Set(settings.clients.map(\.id))
            ) { [notices = oauth.logout.notices, unitOfWork] client in
                try await notices.state(of: client, unitOfWork)
            },
            keys: KeyAdministration(ring: keys, record: keyAuditLog.handOver),
            audit: audit,
            daemon: DaemonAdministration(
                mail: mail,
                notices: noticeAdministration,
                nodes: nodeAdministration,
                operators: OperatorLog(unitOfWork: unitOfWork, auditLog: audit.chain),
                status: { [status = statusReader] in try await status.read() },
                settings: { shown }
            ),
            environment: environment
        )
    }

    private var statusReader: StatusReader {
        StatusReader(
            service: service,
            mail: mail,
            notices: noticeAdministration,
            history: history,
            owner: OwnerView(
                name: settings.ownerName,
                accent: settings.theme.palette?.light.hex,
                accentDark: settings.theme.palette?.dark.hex
            ),
            startedAt: core.startedAt,
            environment: environment
        )
    }

    private var noticeAdministration: NoticeAdministration {
        NoticeAdministration(
            requests: backchannel.service.noticeQueue,
            logouts: oauth.logout.notices.noticeQueue,
            unitOfWork: unitOfWork
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
