import Accounts
import ArgumentParser
import Kernel
import SignIn

/// `vestibule consents withdraw`: withdraws a person's consent to a client, and replies with the client's id.
struct WithdrawConsent: CommandLineCommand {
    static let name = "withdrawConsent"
    static let replyName = "text"
    static let effect = CommandEffect.writes

    var client: String
    var account: String

    var target: String? { client }

    var preview: (any CommandPreview)? { PreviewRemedy(.withdrawConsent, of: account, client: client) }

    func handle(_ services: AdminServices) async throws -> String {
        let id = try await services.accounts.show(account).account.id
        guard try await services.access.consents.withdraw(client, of: id, by: nil) else {
            throw AdminError.consentNotFound(client)
        }
        return client
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "withdraw",
            "Withdraw a person's consent to a client, and end the client's sessions.",
            about: """
                The client's next request for the person is asked again. Codes and device codes of the person that are \
                not redeemed end for every client. The owner sees the reason revoked_by_operator.
                """,
            examples: ["vestibule consents withdraw shop --account person@example.com"]
        )

        @Argument(help: "The client's id, as `list` shows it.") var client: String
        @Option(help: "The account's e-mail address, user name or id.") var account: String

        func command(_ input: CommandInput) -> any AdminCommand<String> {
            WithdrawConsent(client: client, account: account)
        }

        func lines(_ reply: String) -> [String] { ["The consent to \(reply) is withdrawn."] }

        func json(_ reply: String) throws -> String { try Rendering.json(["withdrawn": reply]) }
    }
}

extension AdminError {
    static func consentNotFound(_ client: String) -> AdminError {
        AdminError(
            code: "consent_not_found",
            message: "The person has not consented to the client \(client). `consents list WHO` shows whom to."
        )
    }
}
