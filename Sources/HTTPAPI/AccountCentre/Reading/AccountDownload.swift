import Accounts
import Devices
import Kernel
import Operations
import Passkeys
import Sessions
import SignIn
import Wallet
import Wire

/// The data of an account as its owner downloads it: what the account centre shows, and nothing secret.
struct AccountDownload: Codable, Sendable, Equatable {
    /// The most sessions, and the most operations of each kind.
    static let most = 500

    /// UTC, `2026-01-31T09:05:00Z`.
    var exportedAt: String
    var account: Person
    var signIn: Means
    var activity: Activity
    var devices: [OwnedDeviceView]
    var consents: [OwnedConsentView]
    var wallet: Wallet?
    /// Whether nothing was left out because there is too much of it.
    var isComplete: Bool

    struct Person: Codable, Sendable, Equatable {
        var id: String
        var name: String
        var username: String?
        var addresses: [Address]
        /// The address that is not confirmed yet.
        var claimedAddress: String?
        var attributes: [String: String]
        var openedAt: String
    }

    struct Address: Codable, Sendable, Equatable {
        var email: String
        var isConfirmed: Bool
    }

    struct Means: Codable, Sendable, Equatable {
        var hasPassword: Bool
        var faces: [Face]
        var passkeys: [Key]
    }

    struct Face: Codable, Sendable, Equatable {
        var provider: String
        var isInForce: Bool
    }

    struct Key: Codable, Sendable, Equatable {
        var passkey: OwnedPasskeyView
        var maker: String?
    }

    struct Activity: Codable, Sendable, Equatable {
        var sessions: [OwnedSessionView]
        var operations: [OwnedOperationView]
        var enrolments: [OwnedOperationView]
    }

    struct Wallet: Codable, Sendable, Equatable {
        var cards: [WalletCardView]
        var banks: [WalletBankView]
    }
}

extension AccountDownload {
    /// Creates the download of what was read, as the session sees it.
    init(
        _ read: AccountReader.Overview,
        for who: SignedIn,
        at now: Instant,
        named name: (String) -> String
    ) {
        exportedAt = now.internetDate
        account = Person(read.record)
        signIn = Means(
            hasPassword: read.record.passwordHash != nil,
            faces: read.record.enrolments.map { Face(provider: $0.provider, isInForce: $0.isActive) },
            passkeys: read.passkeys.map { passkey in
                Key(
                    passkey: OwnedPasskeyView(passkey),
                    maker: PasskeyMakers.name(passkey.credential.record.authenticator.aaguid)
                )
            }
        )
        activity = Activity(
            sessions: read.sessions.map { OwnedSessionView($0, at: now, seenFrom: who.session) },
            operations: read.operations.operations.map { OwnedOperationView($0, seenFrom: who.session) },
            enrolments: read.operations.enrolments.map { OwnedOperationView($0, seenFrom: who.session) }
        )
        devices = read.devices.map { OwnedDeviceView($0, seenFrom: who.device) }
        consents = read.consents.map { OwnedConsentView($0, named: name($0.clientID)) }
        wallet = read.wallet.map { contents in
            Wallet(
                cards: contents.cards.map { WalletCardView($0) },
                banks: contents.banks.map { WalletBankView(bsimId: $0.id, name: $0.name, cardCount: $0.cards) }
            )
        }
        isComplete = [read.sessions.count, activity.operations.count, activity.enrolments.count]
            .allSatisfy { $0 < Self.most }
    }
}

extension OwnedSessionView {
    fileprivate init(_ seen: AccountReader.SeenSession, at now: Instant, seenFrom current: SessionID) {
        self.init(seen.listed, at: now, seenFrom: current)
        origin = seen.origin.flatMap { OriginView(address: $0.address, agent: $0.agent) }
    }
}

extension OwnedDeviceView {
    fileprivate init(_ seen: AccountReader.SeenDevice, seenFrom current: DeviceID?) {
        self.init(seen.listed, seenFrom: current)
        lastUsedAt = seen.usedAt?.internetDate
        origin = seen.origin.flatMap { OriginView(address: $0.address, agent: $0.agent) }
    }
}

extension AccountDownload.Person {
    fileprivate init(_ record: AccountRecord) {
        self.init(
            id: record.account.id.description,
            name: record.account.displayName,
            username: record.username?.text,
            addresses: record.emails.map { .init(email: $0.address.text, isConfirmed: $0.isVerified) },
            claimedAddress: record.claim?.text,
            attributes: record.account.attributes.given,
            openedAt: record.account.createdAt.internetDate
        )
    }
}
