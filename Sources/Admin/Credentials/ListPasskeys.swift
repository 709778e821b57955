import Accounts
import ArgumentParser
import Kernel
import Passkeys

/// `vestibule passkeys list`: an account's passkeys, the oldest first.
struct ListPasskeys: CommandLineCommand {
    static let name = "listPasskeys"
    static let replyName = "passkeys"
    static let effect = CommandEffect.reads

    var account: String

    func handle(_ services: AdminServices) async throws -> [PasskeyView] {
        let id = try await services.accounts.show(account).account.id
        return try await services.access.passkeys.list(of: id).map(PasskeyView.init)
    }

    struct Arguments: CommandArguments {
        static let configuration = CommandConfiguration(
            "list",
            "List an account's passkeys, the oldest first.",
            examples: ["vestibule passkeys list person@example.com", "vestibule passkeys list alice --json"]
        )

        @Argument(help: "The account's e-mail address, user name or id.") var account: String

        func command(_ input: CommandInput) -> any AdminCommand<[PasskeyView]> { ListPasskeys(account: account) }
    }
}

/// A passkey as operators see it.
package struct PasskeyView: Codable, Sendable, TableRow {
    let id: String
    /// The id in base64url.
    let credentialId: String
    let name: String
    let rpId: String
    /// `singleDevice` or `multiDevice`.
    let deviceType: String
    let backedUp: Bool
    /// The model of the authenticator, a UUID.
    let aaguid: String
    /// The format of its attestation.
    ///
    /// `trusted`: whether a trust anchor vouches for it.
    let attestation: String
    let trusted: Bool
    /// The code of the reason why no trust anchor vouches for it, if the policy accepted it nevertheless.
    let doubt: String?
    /// The serial number from an enterprise attestation, in base64url.
    let serialNumber: String?
    let signCount: UInt32
    let cloneSigns: Int64
    /// Milliseconds since 1970.
    let createdAt: Int64
    let lastUsedAt: Int64?

    init(_ passkey: Passkey) {
        let record = passkey.credential.record
        id = passkey.id.description
        credentialId = record.id.text
        name = passkey.label
        rpId = passkey.rpID
        deviceType = passkey.deviceType
        backedUp = record.backup.isBackedUp
        aaguid = record.authenticator.aaguid.text
        attestation = record.attestation.format
        trusted = record.attestation.isTrusted
        doubt = record.attestation.doubt
        serialNumber = record.attestation.serialNumber.map { Base64URL.encode($0) }
        signCount = record.signCount
        cloneSigns = passkey.cloneSigns
        createdAt = passkey.createdAt.milliseconds
        lastUsedAt = passkey.lastUsedAt?.milliseconds
    }

    package static let titles = ["ID", "NAME", "RP ID", "KIND", "SYNCED", "ATTESTATION", "CREATED", "LAST USED"]

    package var cells: [String] {
        [
            id, name.isEmpty ? "-" : name, rpId, deviceType, backedUp ? "yes" : "no",
            ([attestation] + (trusted ? ["trusted"] : []) + (doubt.map { [$0] } ?? [])).joined(separator: ", "),
            Rendering.time(createdAt), Rendering.time(lastUsedAt),
        ]
    }
}
