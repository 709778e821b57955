import Devices
import Kernel
import Sessions
import SignIn

/// All that is done with registered devices.
struct DeviceOffice: Sendable {
    let registrar: DeviceRegistrar
    let owned: OwnedDevices
    let keys: DeviceKeyDesk

    init(
        facts: Facts,
        unitOfWork: any UnitOfWork,
        registrar: DeviceRegistrar,
        store: any OwnedDeviceStore,
        keys: any DeviceKeyStore,
        seal: any PushTokenSealing,
        journal: any DeviceJournal,
        notices: any DeviceNotices,
        origins: any DeviceOrigins,
        ending: any DeviceEnding
    ) {
        self.registrar = registrar
        owned = OwnedDevices(
            facts: facts,
            unitOfWork: unitOfWork,
            store: store,
            seal: seal,
            journal: journal,
            origins: origins,
            ending: ending
        )
        self.keys = DeviceKeyDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            devices: store,
            keys: keys,
            journal: journal,
            notices: notices,
            origins: origins
        )
    }
}

/// The links of what is set up on devices to the sessions that it is set up in.
struct DeviceOriginsAdapter: DeviceOrigins {
    let descents: any DescentStore
    let sessions: SessionDesk

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
