import Accounts
import Devices
import HTTPTypes
import Hummingbird
import Kernel
import Operations

/// The device that a request claims to come from; only the device credential proves it.
struct ClaimedDevice: Sendable, Equatable {
    /// The id that the app gave its device, unchanged, because tokens contain it.
    let name: String
    let label: String?
    let platform: RegisteredDevice.Platform?
    let credential: Digest256?

    init(id: String, label: String?, platform: String?, _ request: Request) throws(APIError) {
        name = try DeviceInput.id(id)
        self.label = if let label { try DeviceInput.label(label) } else { nil }
        self.platform = if let platform { try DeviceInput.platform(platform) } else { nil }
        credential = request.deviceCredential
    }

    func registration(of client: String, pushToken: Secret? = nil) -> DeviceRegistration {
        DeviceRegistration(
            name: DeviceName(client: client, device: name),
            label: label ?? "",
            platform: platform,
            pushToken: pushToken,
            credential: credential
        )
    }
}

extension Request {
    /// The SHA-256 of the device credential that the request presents.
    var deviceCredential: Digest256? { headers[our: .xDeviceCredential].map { Digest256(sha256: $0) } }
}

extension PresentedDevice {
    init(_ request: Request) {
        self.init(cookies: SignInCookies.deviceCookies(of: request).digests, credential: request.deviceCredential)
    }
}
