import ArgumentParser

/// `vestibule nodes list`: the daemons that share the database.
struct ListNodes: CommandLineCommand {
    static let name = "listNodes"
    static let replyName = "nodes"
    static let effect = CommandEffect.reads
    static var needsDaemon: Bool { true }

    func handle(_ services: AdminServices) async throws -> [NodeView] { try await services.nodes.views() }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List the daemons that share the database.",
            about: """
                The one that is asked is marked with *. OPERATIONS counts the live operations that a daemon wrote last: it \
                follows them, or the daemon under ADOPTED BY does. CONFIG and KEY say whether a daemon has the settings \
                and the encryption key of most others. A daemon that was killed is listed until its operations have \
                ended, for ten minutes at least.
                """,
            examples: ["vestibule nodes list", "vestibule nodes list --json"]
        )

        func command(_ input: CommandInput) -> any AdminCommand<[NodeView]> { ListNodes() }
    }
}
