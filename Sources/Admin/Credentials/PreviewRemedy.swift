import Accounts
import Devices
import Kernel
import Passkeys
import Sessions
import SignIn

/// Counts what a command that ends access would end now, so that an operator is told before it is run.
package struct PreviewRemedy: CommandPreview, Equatable {
    package static let name = "previewRemedy"
    package static let replyName = "endedAccess"
    package static let effect = CommandEffect.reads

    /// A command that ends access.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case disableAccount
        case revokeSessions
        case setEmail
        case setPassword
        case revokeSession
        case revokeDevice
        case removePasskey
        case withdrawConsent
    }

    let kind: Kind
    /// The account, or the id of the session, device or passkey.
    let subject: String
    /// The client of a consent.
    private(set) var client: String?

    package init(_ kind: Kind, of subject: String, client: String? = nil) {
        self.kind = kind
        self.subject = subject
        self.client = client
    }

    package func handle(_ services: AdminServices) async throws -> EndedAccessView {
        EndedAccessView(try await count(services))
    }

    private func count(_ services: AdminServices) async throws -> EndedAccess {
        let (access, ending) = (services.access, services.access.ending)
        switch kind {
        case .disableAccount: return try await ending.preview(.accountDisabled, of: account(services))
        case .revokeSessions: return try await ending.preview(.sessionsRevoked, of: account(services))
        case .setEmail: return try await ending.preview(.addressSet, of: account(services))
        case .setPassword: return try await ending.preview(.passwordSet, of: account(services))
        case .revokeSession:
            guard let id = SessionID(parsing: subject), let session = try await access.sessions.find(id) else { break }
            return try await ending.preview(revoking: id, of: session.account)
        case .revokeDevice:
            guard let id = DeviceID(parsing: subject), let owner = try await access.devices.owner(of: id) else { break }
            return try await ending.preview(revoking: id, of: owner)
        case .removePasskey:
            guard let id = PasskeyID(parsing: subject), let owner = try await access.passkeys.owner(of: id) else {
                break
            }
            return try await ending.preview(removing: id, of: owner)
        case .withdrawConsent:
            let (client, account) = (client ?? "", try await account(services))
            guard let ended = try await access.consents.preview(client, of: account) else {
                throw AdminError.consentNotFound(client)
            }
            return ended
        }
        throw AdminError(code: "subject_not_found", message: "\(subject) is unknown, or has ended.")
    }

    private func account(_ services: AdminServices) async throws -> AccountID {
        try await services.accounts.show(subject).account.id
    }
}

/// What a command would end now, as operators see it.
package struct EndedAccessView: CommandOutlook, Codable, Sendable, Equatable {
    let sessions: Int
    let passkeys: Int
    let devices: Int
    let consents: Int
    let faces: Int
    let passwords: Int
    let banks: Int

    init(_ ended: EndedAccess) {
        sessions = ended.sessions
        passkeys = ended.passkeys
        devices = ended.devices
        consents = ended.consents
        faces = ended.faces
        passwords = ended.passwords
        banks = ended.banks
    }

    /// The numbers with their names for people.
    package var numbers: [(name: String, count: Int)] {
        [
            ("sessions", sessions), ("passkeys", passkeys), ("devices", devices), ("consents", consents),
            ("faces", faces), ("passwords", passwords), ("banks", banks),
        ]
    }

    /// A sentence for people.
    package var sentence: String {
        let ended = numbers.filter { $0.count > 0 }.map {
            "\($0.count) \($0.count == 1 ? String($0.name.dropLast()) : $0.name)"
        }
        return ended.isEmpty
            ? "No session, passkey, device or consent would end now." : "It ends now: \(ended.joined(separator: ", "))."
    }
}
