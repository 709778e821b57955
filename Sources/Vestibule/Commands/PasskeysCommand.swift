import Admin
import ArgumentParser
import Assembly
import Kernel
import Passkeys

/// `vestibule passkeys`.
struct PasskeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "passkeys",
        "List or remove the passkeys of an account, or verify a ceremony.",
        examples: [
            "vestibule passkeys list person@example.com",
            "vestibule passkeys remove 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11",
            "cat ceremony.json | vestibule passkeys verify --json",
        ],
        subcommands: AdminTable.passkeys.commandLine + [Verify.self]
    )

    /// `vestibule passkeys verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "verify",
            "Verify a ceremony of a browser, and name the step that fails.",
            about: """
                Reads one JSON object from standard input: "options", as the browser was called with, and "response", as it \
                answered (credential.toJSON()). The answer to a sign-in needs "credential" too: {"publicKey", "userHandle", \
                "signCount", "backupEligible", "backedUp"}, bytes in base64url, the key as COSE_Key. No daemon is asked, \
                and no challenge is used. Exit code 1 when the ceremony is not valid.
                """,
            examples: [
                "cat ceremony.json | vestibule passkeys verify --json",
                "cat ceremony.json | vestibule passkeys verify --trust anchors",
                "vestibule passkeys verify --origin https://login.example.com",
            ]
        )

        @Option(help: "An origin that is allowed. Default: https:// and the RP ID. Can be given several times.")
        var origin: [String] = []
        @Option(help: "A folder of certificates that an attestation's chain has to end at.") var trust: String?
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            try await ExitError.guarding {
                var input = ""
                while let line = readLine(strippingNewline: false) { input += line }
                let ceremony = try CeremonyInput(Array(input.utf8), origins: origin)
                let anchors = try trust.map { try PasskeyTrust.anchors(in: $0) }
                let verdict = await ceremony.verdict(anchors: anchors, now: Environment.system.now())
                print(json ? try Rendering.json(verdict) : verdict.sentence)
                if !verdict.verified { throw ExitCode(1) }
            }
        }
    }
}
