import Accounts
import Devices
import Kernel
import OAuth
import Operations
import Passkeys
import Sessions
import SignIn
import Wallet

/// Reads what an account's owner sees of it, never more of anything than a fixed number.
struct AccountReader: Sendable {
    let services: HTTPServices
    let clients: ClientDirectory
    /// Whether the wallet is served.
    let hasWallet: Bool

    /// A session as it is listed, with what is known of its place.
    struct SeenSession: Sendable {
        let listed: ListedSession
        let usedAt: Instant
        let isActive: Bool
        /// The origin of the sign-in, else of the operation that opened the session; `nil` if unknown.
        let origin: Session.Origin?
        let device: RegisteredDevice?
        let passkey: Passkey?

        var session: Session { listed.session }
    }

    /// A device as it is listed, with what is known of its last use.
    struct SeenDevice: Sendable {
        let listed: ListedDevice
        /// The last sign-in, refresh or signature; `nil` if the device was only added.
        let usedAt: Instant?
        /// The origin of the newest sign-in on the device; `nil` if unknown.
        let origin: Session.Origin?

        init(_ listed: ListedDevice, among sessions: [SeenSession]) {
            let own = sessions.filter { $0.session.linkedDevice?.id == listed.device.id }
            self.listed = listed
            usedAt = ([listed.lastUsedAt, listed.key?.lastUsedAt] + own.map(\.usedAt)).compactMap(\.self).max()
            origin = own.filter { $0.origin != nil }.max { $0.session.createdAt < $1.session.createdAt }?.origin
        }
    }

    /// All that the overview shows.
    struct Overview: Sendable {
        let record: AccountRecord
        let sessions: [SeenSession]
        let operations: OwnedOperations
        let devices: [SeenDevice]
        let passkeys: [Passkey]
        let consents: [GivenConsent]
        let wallet: WalletContents?

        var ways: WaysIn { WaysIn(record, passkeys: passkeys.count) }
    }

    /// Reads the overview; `nil` for an account that can no longer sign in.
    ///
    /// `most`: The most sessions, and the most operations.
    func overview(of account: AccountID, most: Int, at now: Instant) async throws -> Overview? {
        guard let record = try await services.accounts.accounts.active(account) else { return nil }
        let operations = try await services.operations.service.owned(by: account, limit: most)
        let devices = try await services.devices.owned.list(of: account, client: nil)
        let passkeys = try await services.passkeys.owned.list(of: account)
        let listed = try await services.sessions.sessions.list(of: account, limit: most)
        let seen = try await services.sessions.browsers.lastSeen(of: Set(listed.map(\.session.id)))
        let origins = Dictionary(
            operations.operations.compactMap { owned -> (SessionID, Session.Origin)? in
                guard let session = owned.operation.session, let origin = owned.operation.binding.origin else {
                    return nil
                }
                return Session.Origin(ifKnown: origin.address, agent: origin.agent).map { (session, $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        let sessions = listed.map { listed in
            SeenSession(
                listed: listed,
                usedAt: max(listed.refreshedAt, seen[listed.session.id] ?? listed.refreshedAt),
                isActive: listed.session.revocation == nil && now < listed.expiresAt,
                origin: listed.session.authentication.origin ?? origins[listed.session.id],
                device: devices.first { $0.device.id == listed.session.linkedDevice?.id }?.device,
                passkey: passkeys.first { $0.id == listed.session.authentication.passkey }
            )
        }
        return Overview(
            record: record,
            sessions: sessions,
            operations: operations,
            devices: devices.map { SeenDevice($0, among: sessions) },
            passkeys: passkeys,
            consents: try await services.accounts.owner.consents.list(of: account),
            wallet: hasWallet ? try await services.wallet.cards.contents(of: account) : nil
        )
    }

    /// Returns the name of an app as people know it; its id for an app that no longer exists.
    func name(of client: String) -> String {
        if let policy = try? clients.client(named: client, surface: nil), !policy.landing.clientName.isEmpty {
            return policy.landing.clientName
        }
        return services.oauth.clients.directory.client(client)?.name ?? client
    }
}
