import Devices
import Kernel
import Sessions

/// All that is done with registered devices.
struct DeviceOffice: Sendable {
    let registrar: DeviceRegistrar
    let owned: OwnedDevices
    let keys: DeviceKeyDesk

    init(
        facts: Facts,
        unitOfWork: any UnitOfWork,
        store: any OwnedDeviceStore,
        keys: any DeviceKeyStore,
        seal: any PushTokenSealing,
        journal: any DeviceJournal,
        notices: any DeviceNotices,
        sessions: SessionDesk
    ) {
        registrar = DeviceRegistrar(
            facts: facts,
            unitOfWork: unitOfWork,
            store: store,
            seal: seal,
            journal: journal,
            notices: notices
        )
        owned = OwnedDevices(facts: facts, unitOfWork: unitOfWork, store: store, seal: seal, journal: journal) {
            device,
            account,
            transaction in
            try sessions.revokeAll(of: account, on: device, because: .deviceRevoked, in: transaction)
        }
        self.keys = DeviceKeyDesk(
            facts: facts,
            unitOfWork: unitOfWork,
            devices: store,
            keys: keys,
            journal: journal,
            notices: notices
        )
    }
}
