import ArgumentParser
import Kernel

/// `vestibule nodes drain`: has a daemon leave its load balancer, or come back to it.
struct DrainNode: CommandLineCommand {
    static let name = "drainNode"
    static let replyName = "nodes"
    static let effect = CommandEffect.writes
    static var needsDaemon: Bool { true }

    /// The daemon's name; `nil` for the one that is asked.
    var node: String?
    /// Whether it should come back.
    var isUndone: Bool
    /// Whether it may leave although no other daemon serves.
    var isLastAllowed: Bool

    var target: String? { node }

    func handle(_ services: AdminServices) async throws -> [NodeView] {
        let nodes = services.nodes
        let asked = nodes.membership.node
        let text = node ?? asked.text
        guard let name = NodeName(text) else { throw AdminError(NodeError.notFound, of: text) }
        do {
            try await nodes.draining.set(!isUndone, of: name, asked: asked, isLastAllowed: isLastAllowed)
        } catch let error as NodeError { throw AdminError(error, of: text) }
        return try await nodes.views()
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "drain",
            "Take a daemon out of its load balancer, before it is stopped.",
            about: """
                Within about a second its /readyz answers 503. It serves what still arrives until it is stopped, and \
                follows its operations. A daemon that is started again is not drained. \
                Without NAME it is the daemon that is asked.
                """,
            examples: [
                "vestibule nodes drain", "vestibule nodes drain node-2", "vestibule nodes drain node-2 --undo --json",
            ]
        )

        @Argument(help: "The daemon's name, as `nodes list` shows it.") var name: String?
        @Flag(help: "Bring it back: /readyz answers 200 again.") var undo = false
        @Flag(name: .customLong("last"), help: "Drain it although no other daemon serves.") var isLast = false

        func validate() throws {
            guard undo, isLast else { return }
            throw ValidationError("--last cannot be used with --undo.")
        }

        func command(_ input: CommandInput) -> any AdminCommand<[NodeView]> {
            DrainNode(node: name, isUndone: undo, isLastAllowed: isLast)
        }
    }
}

extension AdminError {
    init(_ error: NodeError, of name: String) {
        switch error {
        case .notFound:
            self.init(
                code: "node_not_found",
                message: "No daemon is named \(name). `vestibule nodes list` shows the names."
            )
        case .stopped:
            self.init(
                code: "node_stopped",
                message: "The daemon \(name) does not run, or cannot renew its lease, so that nothing was changed."
            )
        case .last:
            self.init(
                code: "node_last",
                message:
                    "No daemon but \(name) serves, so that nothing was changed. With --last it is drained all the same."
            )
        }
    }
}
