import HTTPAPI
import Operations

extension PublicAPI {
    /// What the wallet app does about its device, and with it.
    func devices(_ settings: Settings, _ surface: SurfaceSettings) -> [Route] {
        let client = MobileClient(settings.clientDirectory, surface: surface.client)
        let bodyLimit = settings.limits.bodyBytes
        let registration = DeviceRegistrationAPI(
            registrar: composition.devices.registrar,
            client: client,
            limits: deviceLimits,
            addresses: settings.clientAddresses,
            bodyLimit: bodyLimit
        )
        let own = OwnDevicesAPI(devices: composition.devices.owned, bodyLimit: bodyLimit)
        let biometric = BiometricAPI(
            keys: composition.devices.keys,
            client: client,
            opener: sessionOpener(settings),
            unitOfWork: composition.unitOfWork,
            limits: deviceLimits,
            addresses: settings.clientAddresses,
            bodyLimit: bodyLimit
        )
        let wallet = WalletAPI(
            accounts: composition.accounts,
            wallet: composition.wallet,
            keys: composition.devices.keys
        )
        return registration.routes + own.routes + biometric.routes + wallet.routes
    }
}
