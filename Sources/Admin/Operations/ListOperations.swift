import Accounts
package import ArgumentParser
import Operations

/// `vestibule operations list`: operations, the newest first.
package struct ListOperations: CommandLineCommand {
    package static let name = "listOperations"
    package static let replyName = "operations"

    var account: String?
    var states: [String]
    var limit: Int

    package init(account: String? = nil, states: [String], limit: Int) {
        self.account = account
        self.states = states
        self.limit = limit
    }

    package func handle(_ services: AdminServices) async throws -> [OperationView] {
        var filter = OperationFilter(limit: limit)
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
            ]
        )

        @Option(help: "Only operations of this account (e-mail address, user name or id).") var account: String?
        @Option(
            name: .customLong("state"),
            help: ArgumentHelp("Only operations in this state. Can be given several times.", valueName: "state")
        )
        var states: [String] = []
        @Option(help: "The largest number of rows, the newest first.") var limit = 50

        package init() {}

        package func command(_ input: CommandInput) -> any AdminCommand<[OperationView]> {
            ListOperations(account: account, states: states, limit: limit)
        }
    }
}
