import ArgumentParser
import HTTPAPI
import Kernel
import Passkeys

/// `vestibule passkeys`.
struct PasskeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passkeys",
        abstract: "List or remove the passkeys of an account, or look at a ceremony.",
        discussion: """
            EXAMPLES
              vestibule passkeys list person@example.com
              vestibule passkeys remove 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11
              cat ceremony.json | vestibule passkeys verify --json
            """,
        subcommands: [List.self, Remove.self, Verify.self]
    )

    /// `vestibule passkeys list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List an account's passkeys, the oldest first.",
            discussion: """
                EXAMPLES
                  vestibule passkeys list person@example.com
                  vestibule passkeys list alice --json
                """
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .passkeys(let found) = try await send(.listPasskeys(account: account), options) else {
                    return
                }
                if json { return try Printing.json(found) }
                Printing.table(AdminReply.PasskeyView.titles, found.map(\.cells))
            }
        }
    }

    /// `vestibule passkeys remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a passkey: nobody signs in with it any more, and whoever did is signed out.",
            discussion: """
                The sessions that it opened end. The last passkey of an account is removed as \
                well, and where it was the only way in, nobody is let in any more.

                EXAMPLES
                  vestibule passkeys remove 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11
                """
        )

        @Argument(help: "The passkey's id, as `list` shows it.") var passkey: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .text(let id) = try await send(.removePasskey(id: passkey), options) else { return }
                if json { return try Printing.json(["removed": id]) }
                print("\(id) is removed.")
            }
        }
    }

    /// `vestibule passkeys verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Look at a ceremony of a browser, and say which step it fails at.",
            discussion: """
                Reads one JSON object from standard input: "options", as the browser was called with, and "response", as it \
                answered (credential.toJSON()). The answer to a sign-in needs "credential" too: {"publicKey", "userHandle", \
                "signCount", "backupEligible", "backedUp"}, bytes in base64url, the key as COSE_Key. No daemon is asked, \
                and no challenge used. Exits with 1 if it does not hold.

                EXAMPLES
                  cat ceremony.json | vestibule passkeys verify --json
                  cat ceremony.json | vestibule passkeys verify --trust anchors
                  vestibule passkeys verify --origin https://login.example.com
                """
        )

        @Option(help: "An origin that is allowed; by default https:// and the RP ID. May be given many times.")
        var origin: [String] = []
        @Option(help: "A folder of certificates that an attestation has to end at.") var trust: String?
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            try await Exit.guarding {
                var input = ""
                while let line = readLine(strippingNewline: false) { input += line }
                let ceremony = try CeremonyInput(Array(input.utf8), origins: origin)
                let anchors = try trust.map { try PasskeyTrust.anchors(in: $0) }
                let verdict = await ceremony.verdict(anchors: anchors, now: Facts.system.now())
                if json { try Printing.json(verdict) } else { print(verdict.sentence) }
                if !verdict.verified { throw ExitCode(1) }
            }
        }
    }
}

extension AdminReply.PasskeyView {
    static let titles = ["ID", "NAME", "RP ID", "KIND", "SYNCED", "ATTESTATION", "CREATED", "LAST USED"]

    var cells: [String] {
        [
            id, name.isEmpty ? "-" : name, rpId, deviceType, backedUp ? "yes" : "no",
            ([attestation] + (trusted ? ["trusted"] : []) + (doubt.map { [$0] } ?? [])).joined(separator: ", "),
            Printing.time(createdAt), Printing.time(lastUsedAt),
        ]
    }
}
