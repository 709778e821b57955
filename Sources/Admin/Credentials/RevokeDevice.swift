import ArgumentParser
import Devices
import Kernel

/// `vestibule devices revoke`: revokes a device, and replies with its id.
struct RevokeDevice: CommandLineCommand {
    static let name = "revokeDevice"
    static let replyName = "text"
    static let effect = CommandEffect.writes

    var id: String

    var target: String? { id }

    var preview: (any CommandPreview)? { PreviewRemedy(.revokeDevice, of: id) }

    func handle(_ services: AdminServices) async throws -> String {
        guard let device = DeviceID(parsing: id), let revoked = try await services.access.devices.revoke(device) else {
            throw AdminError(
                code: "device_not_found",
                message: "No account has a device \(id). `devices list WHO` shows those of an account."
            )
        }
        return revoked.id.description
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "revoke",
            "Revoke a device with its credential and key, and end its sessions.",
            examples: ["vestibule devices revoke 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11"]
        )

        @Argument(help: "The device's id, as `list` shows it.") var device: String

        func command(_ input: CommandInput) -> any AdminCommand<String> { RevokeDevice(id: device) }

        func lines(_ reply: String) -> [String] { ["\(reply) is revoked."] }

        func json(_ reply: String) throws -> String { try Rendering.json(["revoked": reply]) }
    }
}
