import ArgumentParser
import HTTPAPI
import Settings

/// `vestibule clients`.
struct ClientsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Add, list, disable, sign out or give new secrets to OAuth clients.",
        discussion: """
            A client is an app or a server that signs people in by OAuth. Those of the operator's own stand in the config, \
            are trusted as such, and are changed there; those that are added here, or register themselves, ask their people \
            for consent.

            EXAMPLES
              vestibule clients add --name App --redirect-uri com.example.app:/done
              vestibule clients list
              vestibule clients registration-token --uses 1
            """,
        subcommands: [
            ClientsAddCommand.self, List.self, Show.self, RotateSecret.self, Disable.self, Enable.self,
            ClientsSignOutCommand.self, RegistrationToken.self,
        ]
    )

    /// `vestibule clients list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List all clients, those of the config too.",
            discussion: """
                EXAMPLES
                  vestibule clients list
                  vestibule clients list --json
                """
        )

        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .clients(let found) = try await send(.listClients, options) else { return }
                if json { return try Printing.json(found) }
                Printing.table(AdminReply.ClientView.titles, found.map(\.cells))
            }
        }
    }

    /// `vestibule clients show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what a client may do; never its secrets.",
            discussion: """
                EXAMPLES
                  vestibule clients show myvoo
                  vestibule clients show myvoo --json
                """
        )

        @Argument(help: "The client's id.") var id: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding { try await printClient(.showClient(id: id), options, json: json) }
        }
    }

    /// `vestibule clients rotate-secret`.
    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-secret",
            abstract: "Give a client a new secret, which is shown this once.",
            discussion: """
                The one before ends now, or counts for --overlap beside the new one, so that the client's servers can be \
                changed one after the other; one that was in its overlap already ends now.

                EXAMPLES
                  vestibule clients rotate-secret backend
                  vestibule clients rotate-secret backend --overlap 1d --json
                """
        )

        @Argument(help: "The client's id.") var id: String
        @Option(help: "How long the secret before still counts: a duration up to 30d.") var overlap = "0s"
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            guard ClientDuration.seconds(overlap) != nil else {
                throw ValidationError("--overlap takes a duration of whole seconds, like 0s, 12h or 30d")
            }
        }

        func run() async throws {
            try await Exit.guarding {
                let seconds = ClientDuration.seconds(overlap) ?? 0
                let request = AdminRequest.rotateClientSecret(id: id, overlapSeconds: seconds)
                guard case .clientSecret(let issued) = try await send(request, options) else { return }
                if json { return try Printing.json(issued) }
                print(issued.secret ?? "")
            }
        }
    }

    /// `vestibule clients disable`.
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Disable a client: from the next request on it gets nothing.",
            discussion: """
                Its sessions end, and with them codes, requests and consents: none of it comes back when it is enabled \
                again. Access tokens are good until they expire where backends verify offline.

                EXAMPLES
                  vestibule clients disable 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11
                  vestibule clients disable backend --json
                """
        )

        @Argument(help: "The client's id.") var id: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding { try await printClient(.disableClient(id: id), options, json: json) }
        }
    }

    /// `vestibule clients enable`.
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enable a client again.",
            discussion: """
                EXAMPLES
                  vestibule clients enable backend
                  vestibule clients enable backend --json
                """
        )

        @Argument(help: "The client's id.") var id: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding { try await printClient(.enableClient(id: id), options, json: json) }
        }
    }

    /// `vestibule clients registration-token`.
    struct RegistrationToken: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "registration-token",
            abstract: "Make a token by which clients register themselves at /oauth/register (RFC 7591).",
            discussion: """
                It is shown this once, and is of use only where oauth.registration is on. Whoever holds it decides by what \
                name people see the client.

                EXAMPLES
                  vestibule clients registration-token
                  vestibule clients registration-token --uses 5 --expires 7d --json
                """
        )

        @Option(help: "For how many clients: 1 to 1000.") var uses = 1
        @Option(help: "For how long: a duration from 1m to 30d.") var expires = "1h"
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            guard ClientDuration.seconds(expires) != nil else {
                throw ValidationError("--expires takes a duration of whole seconds, like 90s, 12h or 30d")
            }
        }

        func run() async throws {
            try await Exit.guarding {
                let seconds = ClientDuration.seconds(expires) ?? 0
                let request = AdminRequest.openClientRegistration(uses: uses, seconds: seconds)
                guard case .registrationToken(let made) = try await send(request, options) else { return }
                if json { return try Printing.json(made) }
                print(made.token)
            }
        }
    }
}

/// Durations of the command line, in the config's form.
enum ClientDuration {
    /// Whole seconds; `nil` for what is no duration, or has a fraction of one.
    static func seconds(_ text: String) -> Int? {
        guard let duration = DurationText.parse(text), duration.components.attoseconds == 0 else { return nil }
        return Int(duration.components.seconds)
    }
}

/// Prints the client that the daemon answers with.
func printClient(_ request: AdminRequest, _ options: SettingsOptions, json: Bool) async throws {
    guard case .client(let client) = try await send(request, options) else { return }
    if json { return try Printing.json(client) }
    for (title, value) in client.lines { print("\(title): \(value)") }
}

extension AdminReply.ClientView {
    static let titles = ["ID", "NAME", "ORIGIN", "STATE", "AUTHENTICATION", "GRANTS", "ADDED"]

    var cells: [String] {
        [
            id, name, origin, isEnabled ? "enabled" : "disabled", authentication, grants.joined(separator: " "),
            Printing.time(createdAt),
        ]
    }

    /// All that there is to show, with a title each.
    var lines: [(title: String, value: String)] {
        [
            ("id", id), ("name", name), ("origin", origin), ("state", isEnabled ? "enabled" : "disabled"),
            ("authentication", "\(authentication) (\(secretsOrKeys) kept)"), ("grants", listed(grants)),
            ("redirect URIs", listed(redirectURIs)), ("after sign-out", listed(postLogoutRedirectURIs)),
            ("scopes", listed(scopes)), ("audience", audience), ("resources", listed(resources)),
            ("pushed requests", requiresPushedRequests ? "required" : "optional"),
            ("requires", requires), ("DPoP", requiresDPoP ? "required" : "optional"),
            ("CIBA delivery", delivery ?? "-"),
            ("added", Printing.time(createdAt)),
        ]
    }

    private func listed(_ values: [String]) -> String { values.isEmpty ? "-" : values.joined(separator: " ") }
}
