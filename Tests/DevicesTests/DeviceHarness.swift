import Foundation
import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import Devices

/// The use cases of devices over a store in memory, with time that stands still.
struct DeviceHarness: Sendable {
    static let ada = AccountID(UUIDBits(high: 0xA, low: 1))
    static let bob = AccountID(UUIDBits(high: 0xB, low: 1))
    static let session = SessionID(UUIDBits(high: 5, low: 1))
    static let name = "0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11"

    let time = SettableEnvironment()
    let store = MemoryRegisteredDevices()
    let auditLog = RecordingAuditLog()
    let ended = EndedSessions()
    let unitOfWork = ImmediateUnitOfWork()
    let encryptor = MirrorEncryptor()
    let notices = RecordedNotices()
    let origins = RecordedOrigins()
    let registrar: DeviceRegistrar
    let owned: OwnedDevices
    let service: DeviceKeyService

    init() {
        registrar = DeviceRegistrar(
            environment: time.environment,
            unitOfWork: unitOfWork,
            store: store,
            encryptor: encryptor,
            auditLog: auditLog,
            notices: notices,
            origins: origins
        )
        owned = OwnedDevices(
            environment: time.environment,
            unitOfWork: unitOfWork,
            store: store,
            encryptor: encryptor,
            auditLog: auditLog,
            origins: origins,
            ending: ended
        )
        service = DeviceKeyService(
            environment: time.environment,
            unitOfWork: unitOfWork,
            devices: store,
            keys: store,
            auditLog: auditLog,
            notices: notices,
            origins: origins
        )
    }

    /// The push token that is kept encrypted for the device; what does not decrypt, as it is.
    func pushToken(of device: DeviceID) async throws -> String? {
        let encrypted = try await unitOfWork.run { [store] in try store.pushToken(of: device, in: $0) }
        return encrypted.map { encryptor.decrypt($0, as: "push-token \(device)")?.expose() ?? $0 }
    }

    /// The audit's events.
    var audited: [DeviceAuditEvent] { auditLog.all.events(DeviceAuditEvent.self) }

    /// The credential that a registration gave; `nil` for one that was refused.
    @discardableResult
    func register(
        by registrant: Registrant = .anybody,
        showing credential: Secret? = nil,
        label: String = "Phone",
        pushToken: String? = nil
    ) async throws -> Secret? {
        guard
            case .registered(let fresh, _) = try await outcome(
                by: registrant,
                showing: credential,
                label: label,
                pushToken: pushToken
            )
        else { return nil }
        return fresh
    }

    func outcome(
        by registrant: Registrant = .anybody,
        showing credential: Secret? = nil,
        label: String = "Phone",
        pushToken: String? = nil
    ) async throws -> RegistrationOutcome {
        let order = order(showing: credential, label: label, pushToken: pushToken)
        return try await registrar.register(order, by: registrant, requester: "sv")
    }

    func signIn(
        _ account: AccountID,
        showing credential: Secret? = nil,
        platform: RegisteredDevice.Platform? = nil,
        requester: Requester? = nil
    ) async throws -> DeviceID? {
        try await signInDevice(account, showing: credential, platform: platform, requester: requester)?.id
    }

    func signInDevice(
        _ account: AccountID,
        showing credential: Secret? = nil,
        platform: RegisteredDevice.Platform? = nil,
        requester: Requester? = nil
    ) async throws -> SignInDevice? {
        let order = order(showing: credential, platform: platform)
        return try await unitOfWork.run {
            try registrar.signIn(account, on: order, requester: requester, opening: Self.session, in: $0)
        }
    }

    /// Whether the credential proves a device of the account.
    func proves(_ credential: Secret?, _ account: AccountID) async throws -> Bool {
        let registered = RegisteredDevices(environment: time.environment, store: store, keys: store)
        guard let digest = credential.map({ Digest256(sha256: $0) }) else { return false }
        return try await unitOfWork.run {
            try registered.device(credential: digest, of: account, client: "app", in: $0) != nil
        }
    }

    func device() throws -> RegisteredDevice { try #require(store.all.first { $0.name.device == Self.name }) }

    private func order(
        showing credential: Secret?,
        label: String = "Phone",
        pushToken: String? = nil,
        platform: RegisteredDevice.Platform? = .ios
    ) -> DeviceRegistration {
        DeviceRegistration(
            name: DeviceName(client: "app", device: Self.name),
            label: label,
            platform: platform,
            pushToken: pushToken.map { Secret($0) },
            credential: credential.map { Digest256(sha256: $0) }
        )
    }
}

/// The notices to owners.
final class RecordedNotices: DeviceNotices {
    private let entries = Mutex<[String]>([])

    var all: [String] { entries.withLock { $0 } }

    func notify(
        _ notice: DeviceNotice,
        of account: AccountID,
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws {
        entries.withLock { $0.append("\(account) \(client) \(notice) \(requester.language)") }
    }
}

/// On which devices sessions were ended.
final class EndedSessions: DeviceEnding {
    private let entries = Mutex<[String]>([])
    private let settlings = Mutex<[AccountID]>([])
    private let isFailing = Mutex(false)

    var all: [String] { entries.withLock { $0 } }
    /// The accounts that memory was updated for.
    var settled: [AccountID] { settlings.withLock { $0 } }

    func end(_ device: DeviceID, of account: AccountID, in transaction: borrowing Transaction) {
        entries.withLock { $0.append("\(account) \(device)") }
    }

    /// The next settling is refused by the store.
    func failNext() { isFailing.withLock { $0 = true } }

    func settle(revokedDeviceOf account: AccountID) async throws {
        let fails = isFailing.withLock { isFailing in
            defer { isFailing = false }
            return isFailing
        }
        if fails { throw StoreError.unavailable(cause: "scripted") }
        settlings.withLock { $0.append(account) }
    }
}

/// In which sessions what was set up.
final class RecordedOrigins: DeviceOrigins {
    private let entries = Mutex<[String]>([])

    private let ended = Mutex<Set<SessionID>>([])

    /// As if a remedy had ended it.
    func end(_ session: SessionID) { ended.withLock { _ = $0.insert(session) } }

    var all: [String] { entries.withLock { $0 } }

    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) -> Bool {
        ended.withLock { !$0.contains(session) }
    }

    func notePushTokenByCredential(of device: DeviceID, in transaction: borrowing Transaction) {
        entries.withLock { $0.append("pushToken by credential") }
    }

    func isRegistered(
        _ device: DeviceID,
        of account: AccountID,
        in session: SessionID,
        in transaction: borrowing Transaction
    ) -> Bool { all.contains("registration in \(session)") }

    func note(
        _ part: DevicePart,
        of device: DeviceID,
        _ account: AccountID,
        from session: SessionID,
        in transaction: borrowing Transaction
    ) { entries.withLock { $0.append("\(part) in \(session)") } }
}
