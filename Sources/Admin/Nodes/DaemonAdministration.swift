package import Kernel

/// The administration of the daemon's own work: its queues of mail and notices, its state, and the daemons beside it.
package struct DaemonAdministration: Sendable {
    let mail: any MailAdministration
    let notices: NoticeAdministration
    let nodes: NodeAdministration
    let operators: OperatorLog
    let status: @Sendable () async throws -> StatusView
    /// Returns the settings in force, without secrets.
    let settings: @Sendable () -> [SettingView]

    package init(
        mail: any MailAdministration,
        notices: NoticeAdministration,
        nodes: NodeAdministration,
        operators: OperatorLog,
        status: @escaping @Sendable () async throws -> StatusView,
        settings: @escaping @Sendable () -> [SettingView]
    ) {
        self.mail = mail
        self.notices = notices
        self.nodes = nodes
        self.operators = operators
        self.status = status
        self.settings = settings
    }
}

/// The administration of the daemons that share a database.
package struct NodeAdministration: Sendable {
    let registry: any NodeRegistry
    /// The daemon that is asked, among them.
    let membership: any NodeMembership
    let draining: NodeDraining

    package init(registry: any NodeRegistry, membership: any NodeMembership, draining: NodeDraining) {
        self.registry = registry
        self.draining = draining
        self.membership = membership
    }

    func views() async throws -> [NodeView] {
        NodeView.views(of: try await registry.list(), asked: membership.node)
    }
}
