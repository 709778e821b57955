import Accounts
import ArgumentParser
import Devices
import Kernel

/// `vestibule devices list`: an account's devices that can prove something, the newest first.
struct ListDevices: CommandLineCommand {
    static let name = "listDevices"
    static let replyName = "devices"
    static let effect = CommandEffect.reads

    var account: String

    func handle(_ services: AdminServices) async throws -> [DeviceView] {
        let id = try await services.accounts.show(account).account.id
        return try await services.access.devices.list(of: id, client: nil).map(DeviceView.init)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List an account's devices that are valid, the newest first.",
            examples: ["vestibule devices list person@example.com", "vestibule devices list person@example.com --json"]
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String

        func command(_ input: CommandInput) -> any AdminCommand<[DeviceView]> { ListDevices(account: account) }
    }
}

/// A registered device as operators see it.
package struct DeviceView: Codable, Sendable, TableRow {
    let id: String
    let client: String
    /// The id that the client gave the device.
    let deviceId: String
    let name: String
    let platform: String?
    let hasKey: Bool
    let cloneSigns: Int64
    /// Milliseconds since 1970.
    let createdAt: Int64
    let expiresAt: Int64
    let lastUsedAt: Int64?

    init(_ listed: ListedDevice) {
        let device = listed.device
        id = device.id.description
        client = device.name.client
        deviceId = device.name.device
        name = device.label
        platform = device.platform?.rawValue
        hasKey = device.key != nil
        cloneSigns = listed.key?.cloneSigns ?? 0
        createdAt = device.validity.createdAt.milliseconds
        expiresAt = device.validity.expiresAt.milliseconds
        lastUsedAt = listed.lastUsedAt?.milliseconds
    }

    package static let titles = ["ID", "CLIENT", "NAME", "PLATFORM", "KEY", "REGISTERED", "LAST USED"]

    package var cells: [String] {
        [
            id, client, name.isEmpty ? "-" : name, platform ?? "-", hasKey ? "yes" : "no", Rendering.time(createdAt),
            Rendering.time(lastUsedAt),
        ]
    }
}
