import ArgumentParser
import HTTPAPI

/// `vestibule clients sign-out`.
struct ClientsSignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "End all sessions of a client, whoever's they are; its people sign in again.",
        discussion: """
            For a client of the config as well as for one that was added. Its refresh tokens, codes and waiting requests \
            end too; what people have agreed to stays. The owners see the reason revoked_by_operator. Backends that verify \
            offline take an access token until it expires.

            EXAMPLES
              vestibule clients sign-out backend
              vestibule clients sign-out backend --json
            """
    )

    @Argument(help: "The client's id.") var id: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await Exit.guarding {
            guard case .revokedSessions(let count) = try await send(.signOutClient(id: id), options) else { return }
            if json { return try Printing.json(["revoked": count]) }
            print("\(count) session(s) ended.")
        }
    }
}
