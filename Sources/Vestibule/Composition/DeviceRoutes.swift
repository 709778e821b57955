import HTTPAPI
import Operations

extension PublicAPI {
    /// What the wallet app does about its device, and with it.
    ///
    /// Tokens of other clients are no good here: their devices are others.
    func devices(_ settings: Settings, _ surface: SurfaceSettings) -> [Route] {
        let client = MobileClient(settings.clientDirectory, surface: surface.client)
        let audience = (try? settings.clientDirectory.client(named: nil, surface: surface.client))?.audience
        let reader = signedIn(settings, audiences: Set([audience].compactMap(\.self)))
        let bodyLimit = settings.limits.bodyBytes
        let registration = DeviceRegistrationAPI(
            registrar: composition.devices.registrar,
            client: client,
            reader: reader,
            limits: deviceLimits,
            addresses: settings.clientAddresses,
            bodyLimit: bodyLimit
        )
        let own = OwnDevicesAPI(devices: composition.devices.owned, reader: reader, bodyLimit: bodyLimit)
        let biometric = BiometricAPI(
            keys: composition.devices.keys,
            client: client,
            reader: reader,
            opener: sessionOpener(settings),
            unitOfWork: composition.unitOfWork,
            limits: deviceLimits,
            addresses: settings.clientAddresses,
            bodyLimit: bodyLimit
        )
        let wallet = WalletAPI(
            reader: reader,
            accounts: composition.accounts,
            wallet: composition.wallet,
            keys: composition.devices.keys
        )
        return registration.routes + own.routes + biometric.routes + wallet.routes
    }
}
