import Kernel
import MemoryStore
import Passkeys
import Storage

@testable import Assembly

extension Stores {
    /// The stores of a disk in memory.
    static func memory(_ disk: MemoryDisk) -> Stores {
        let held = disk.open()
        return Stores(
            unitOfWork: held.unitOfWork,
            operations: held.operations,
            people: PeopleStores(
                accounts: held.accounts,
                addresses: held.addresses,
                enrolments: held.enrolments,
                emailCodes: held.emailCodes,
                lockouts: held.lockouts,
                devices: DeviceStores(links: held.deviceLinks, registered: held.devices, keys: held.deviceKeys),
                passkeys: PasskeyStores(passkeys: held.passkeys, challenges: held.passkeyChallenges),
                mails: held.mail
            ),
            sessions: SessionStores(
                sessions: held.sessionStore,
                browsers: held.browsers,
                descents: held.descents,
                usedMarks: held.usedMarks,
                logouts: held.logoutNotices
            ),
            oauth: OAuthStores(
                clients: held.oauthClients,
                grants: held.oauthGrants,
                interactions: held.interactions,
                codes: held.authorizationCodes,
                pushedRequests: held.pushedRequests,
                consents: held.consents,
                backchannel: held.backchannel,
                deviceAuthorizations: held.deviceAuthorizations
            ),
            wallet: WalletStores(banks: held.bankEnrolments, cards: held.wallet, payments: held.payments),
            audit: held.audit,
            upkeep: MemoryUpkeep(disk: disk, unitOfWork: held.unitOfWork)
        )
    }
}

/// The disk in memory as a whole.
private struct MemoryUpkeep: StoreUpkeep {
    let disk: MemoryDisk
    let unitOfWork: MemoryUnitOfWork
    let node = LocalNode(
        NodeDescription(version: "0.1.0", config: "", encryptionKey: ""),
        now: { Instant(milliseconds: 1) }
    )

    var nodes: any NodeMembership { node }

    var registry: any NodeRegistry { node }

    var encryptedRows: (any EncryptedRows)? { nil }

    var fileSizes: (database: Int64, log: Int64)? { nil }

    func checkDurable() async throws { try await unitOfWork.run { _ in } }

    func purge(of kind: ExpiringRowKind) -> Purge { MemoryExpiringRows(kind).purge }

    func close() { disk.crash() }
}

extension MemoryExpiringRows {
    fileprivate init(_ kind: ExpiringRowKind) {
        self =
            switch kind {
            case .operations: .operations
            case .sessions: .sessions
            case .deviceLinks: .deviceLinks
            case .ownerlessDevices: .ownerlessDevices
            case .devices: .devices
            case .lockouts: .lockouts
            case .deviceAuthorizations: .deviceAuthorizations
            case .emailCodes: .emailCodes
            case .passkeyChallenges: .passkeyChallenges
            case .webSessions: .webSessions
            case .usedMarks: .usedMarks
            case .authorizationCodes: .authorizationCodes
            case .interactions: .interactions
            case .pushedRequests: .pushedRequests
            case .consents: .consents
            case .backchannelRequests: .backchannelRequests
            case .bankEnrolments: .bankEnrolments
            case .payments: .payments
            case .registrations: .registrations
            case .mails: .mails
            }
    }
}
