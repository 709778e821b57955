import Accounts
package import ArgumentParser
import Operations

/// `vestibule operations list`: operations, the newest first.
package struct ListOperations: CommandLineCommand {
    package static let name = "listOperations"
    package static let replyName = "operations"
    package static let effect = CommandEffect.reads

    /// The most rows of one reply.
    static let mostRows = 1000

    var account: String?
    var client: String?
    var states: [String]
    /// The row of the last operation of the page before.
    var after: String?
    var limit: Int

    package init(
        account: String? = nil,
        client: String? = nil,
        states: [String],
        after: String? = nil,
        limit: Int
    ) {
        self.account = account
        self.client = client
        self.states = states
        self.after = after
        self.limit = limit
    }

    package func handle(_ services: AdminServices) async throws -> [OperationView] {
        var filter = OperationFilter(client: client, limit: min(max(limit, 0), Self.mostRows))
        if let after { filter.after = OperationFilter.Position(try await services.found(after)) }
        if let account { filter.account = try await services.accounts.show(account).account.id }
        filter.states = Set(try states.map { try OperationState.Name(state: $0) })
        return try await services.faceLogin.operations.list(filter).map(OperationView.init)
    }

    /// The filter of operations, which `operations tail` uses too.
    package struct Arguments: CommandArguments {
        package static let configuration = CommandConfiguration(
            "list",
            "List operations, the newest first.",
            examples: [
                "vestibule operations list --state pending --state approved",
                "vestibule operations list --account person@example.com --json",
                "vestibule operations list --client app --limit 100",
            ]
        )

        @Option(help: "Only operations of this account (e-mail address, user name or id).") var account: String?
        @Option(
            name: .customLong("state"),
            help: ArgumentHelp("Only operations in this state. Can be given several times.", valueName: "state")
        )
        var states: [String] = []
        @Option(help: "Only operations of this client.") var client: String?
        @Option(help: ArgumentHelp("Continue the list after this operation.", valueName: "row")) var after: String?
        @Option(help: "The largest number of rows, the newest first: up to 1000.") var limit = 50

        package init() {}

        package func command(_ input: CommandInput) -> any AdminCommand<[OperationView]> {
            ListOperations(account: account, client: client, states: states, after: after, limit: limit)
        }
    }
}
