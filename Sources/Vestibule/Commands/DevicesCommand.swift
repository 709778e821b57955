import ArgumentParser
import HTTPAPI

/// `vestibule devices`.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List or revoke the registered devices of an account.",
        discussion: """
            EXAMPLES
              vestibule devices list person@example.com
              vestibule devices revoke 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11
            """,
        subcommands: [List.self, Revoke.self]
    )

    /// `vestibule devices list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List an account's devices that prove anything, the newest first.",
            discussion: """
                EXAMPLES
                  vestibule devices list person@example.com
                  vestibule devices list person@example.com --json
                """
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .devices(let found) = try await send(.listDevices(account: account), options) else { return }
                if json { return try Printing.json(found) }
                Printing.table(AdminReply.DeviceView.titles, found.map(\.cells))
            }
        }
    }

    /// `vestibule devices revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a device: its sessions end, and neither its credential nor its key proves anything.",
            discussion: """
                EXAMPLES
                  vestibule devices revoke 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11
                """
        )

        @Argument(help: "The device's id, as `list` shows it.") var device: String
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await Exit.guarding {
                guard case .text(let id) = try await send(.revokeDevice(id: device), options) else { return }
                if json { return try Printing.json(["revoked": id]) }
                print("\(id) is revoked.")
            }
        }
    }
}
