import Accounts
import Devices
import Kernel
import Sessions
import Settings
import SignIn

/// The services for registered devices.
struct DeviceFeature: Sendable {
    let registrar: DeviceRegistrar
    let owned: OwnedDevices
    let keys: DeviceKeyService

    init(_ core: CoreFeature, _ sessions: SessionFeature, ending: any DeviceEnding) {
        let (environment, unitOfWork) = (core.environment, core.stores.unitOfWork)
        let auditLog = core.audit.chain
        let origins = DeviceOriginsAdapter(descents: core.stores.sessions.descents, sessions: sessions.sessions)
        registrar = sessions.devices.registrar
        owned = OwnedDevices(
            environment: environment,
            unitOfWork: unitOfWork,
            store: core.stores.people.devices.registered,
            encryptor: core.secrets.encryptor,
            auditLog: auditLog,
            origins: origins,
            ending: ending
        )
        keys = DeviceKeyService(
            environment: environment,
            unitOfWork: unitOfWork,
            devices: core.stores.people.devices.registered,
            keys: core.stores.people.devices.keys,
            auditLog: auditLog,
            notices: OwnerNoticesAdapter(notices: sessions.notices),
            origins: origins
        )
    }

    static func registrar(_ core: CoreFeature, notices: OwnerNotices, sessions: SessionService) -> DeviceRegistrar {
        DeviceRegistrar(
            environment: core.environment,
            unitOfWork: core.stores.unitOfWork,
            store: core.stores.people.devices.registered,
            encryptor: core.secrets.encryptor,
            auditLog: core.audit.chain,
            notices: OwnerNoticesAdapter(notices: notices),
            origins: DeviceOriginsAdapter(descents: core.stores.sessions.descents, sessions: sessions)
        )
    }
}

/// Links credentials and keys on devices to the sessions in which they were set up.
struct DeviceOriginsAdapter: DeviceOrigins {
    let descents: any DescentLinks
    let sessions: SessionService

    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        try sessions.isOpen(session, of: account, in: transaction)
    }

    func notePushTokenByCredential(of device: DeviceID, in transaction: borrowing Transaction) throws {
        try descents.notePushTokenByCredential(of: device, in: transaction)
    }

    func isRegistered(
        _ device: DeviceID,
        of account: AccountID,
        in session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try descents.isRegistered(device, of: account, in: session, in: transaction)
    }

    func note(
        _ part: DevicePart,
        of device: DeviceID,
        _ account: AccountID,
        from session: SessionID,
        in transaction: borrowing Transaction
    ) throws {
        let descendant: Descendant =
            switch part {
            case .registration: .device(device)
            case .credential: .deviceCredential(device)
            case .key: .deviceKey(device)
            case .pushToken: .pushToken(device)
            }
        try descents.note(descendant, of: account, from: session, in: transaction)
    }
}
