package import Kernel

/// The administration of the daemon's own work: its queue of mail, and the daemons beside it.
package struct DaemonAdministration: Sendable {
    let mail: any MailAdministration
    let nodes: NodeAdministration

    package init(mail: any MailAdministration, nodes: NodeAdministration) {
        self.mail = mail
        self.nodes = nodes
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
