import Accounts
import ArgumentParser
import Kernel
import OAuth
import SignIn

/// `vestibule consents list`: the clients that a person has consented to.
struct ListConsents: CommandLineCommand {
    static let name = "listConsents"
    static let replyName = "consents"
    static let effect = CommandEffect.reads

    var account: String

    func handle(_ services: AdminServices) async throws -> [ConsentView] {
        let id = try await services.accounts.show(account).account.id
        return try await services.access.consents.list(of: id).map(ConsentView.init)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List the clients that a person has consented to, with all that each may do.",
            examples: [
                "vestibule consents list person@example.com", "vestibule consents list person@example.com --json",
            ]
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String

        func command(_ input: CommandInput) -> any AdminCommand<[ConsentView]> { ListConsents(account: account) }
    }
}

/// A client that a person has consented to, as operators see it.
package struct ConsentView: Codable, Sendable, TableRow {
    let client: String
    let scopes: [String]
    /// The resources that the client may use in the person's name (RFC 8707).
    let resources: [String]
    /// Milliseconds since 1970: the time of the newest consent.
    let grantedAt: Int64
    /// The time at which the person is asked again.
    let expiresAt: Int64

    init(_ given: GivenConsent) {
        client = given.clientID
        scopes = given.scopes.values.sorted()
        resources = given.resources.sorted()
        grantedAt = given.grantedAt.milliseconds
        expiresAt = given.expiresAt.milliseconds
    }

    package static let titles = ["CLIENT", "SCOPES", "RESOURCES", "GIVEN", "EXPIRES"]

    package var cells: [String] {
        [
            client, scopes.isEmpty ? "-" : scopes.joined(separator: " "),
            resources.isEmpty ? "-" : resources.joined(separator: " "), Rendering.time(grantedAt),
            Rendering.time(expiresAt),
        ]
    }
}
