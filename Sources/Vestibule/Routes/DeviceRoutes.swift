import HTTPAPI
import Operations
import Settings
import SignIn

extension PublicAPI {
    /// The routes by which the wallet app manages and uses its device.
    func devices(_ settings: Settings, _ surface: SurfaceSettings) -> [Route] {
        let accounts = accountSurface(settings, surface, keepsCookies: false)
        let bodyLimit = settings.limits.bodyBytes
        let registration = DeviceRegistrationAPI(
            registrar: composition.devices.registrar,
            surface: accounts,
            limits: deviceLimits,
            addresses: settings.clientAddresses,
            bodyLimit: bodyLimit
        )
        let own = OwnDevicesAPI(devices: composition.devices.owned, bodyLimit: bodyLimit)
        let biometric = BiometricAPI(
            keys: composition.devices.keys,
            surface: accounts,
            signIn: DeviceKeySignIn(
                keys: composition.devices.keys,
                door: composition.door,
                unitOfWork: composition.unitOfWork
            ),
            replies: signInReplies(settings),
            coolingOff: coolingOff,
            limits: deviceLimits,
            addresses: settings.clientAddresses,
            bodyLimit: bodyLimit
        )
        return registration.routes + own.routes + biometric.routes
    }
}
