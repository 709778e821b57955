import Devices
import HTTPTypes
import Hummingbird
import Operations

/// One of the sets of routes that open accounts and sign in to them: how its apps differ.
package struct AccountSurface: Sendable {
    /// The client of a request that names none.
    package let client: String?
    /// Whether accounts can be opened there.
    package let isRegistrationOpen: Bool
    /// Whether its apps keep cookies: then a sign-in leaves them some.
    package let keepsCookies: Bool

    package init(client: String?, isRegistrationOpen: Bool, keepsCookies: Bool) {
        self.client = client
        self.isRegistrationOpen = isRegistrationOpen
        self.keepsCookies = keepsCookies
    }

    /// How the wallet app differs, where nothing but its devices matters.
    static let wallet = AccountSurface(client: nil, isRegistrationOpen: false, keepsCookies: false)

    /// The client that a request names, in the body or its header, else the surface's.
    func policy(
        _ named: String?,
        _ clients: ClientDirectory,
        _ request: Request
    ) throws -> ClientPolicy {
        let header = request.headers[our: .xClientID]
        if let named, let header, named != header {
            throw Problem.invalidRequest("“clientId” and the header X-Client-Id name different clients.")
        }
        return try clients.client(named: named ?? header, surface: client)
    }

    /// The proofs of devices that the request brought; `nil` where its apps keep no cookies.
    func cookies(_ request: Request) -> DeviceCookies? { keepsCookies ? SignInCookies.brought(request) : nil }

    /// What the request says of the device that it comes from; `nil` where its apps register none, or it names none.
    func registration(
        _ device: NamedDevice?,
        _ policy: ClientPolicy,
        _ request: Request
    ) throws(Problem) -> DeviceRegistration? {
        guard !keepsCookies, let device else { return nil }
        var label = ""
        if let text = device.label { label = try DeviceInput.label(text) }
        var platform: RegisteredDevice.Platform?
        if let text = device.platform { platform = try DeviceInput.platform(text) }
        return DeviceRegistration(
            client: policy.clientID,
            name: try DeviceInput.id(device.name),
            label: label,
            platform: platform,
            credential: request.deviceCredential
        )
    }
}

/// A device as the app on it calls it.
struct NamedDevice: Sendable, Equatable {
    private static let lengthLimit = 128

    /// The id that the app gave it, as it came: tokens carry it.
    let name: String
    let label: String?
    let platform: String?

    /// `nil` where there is no id.
    init?(id: String?, label: String?, platform: String?) throws(Problem) {
        guard let id else { return nil }
        guard Self.isPlain(id) else { throw .invalidRequest("“deviceId” has 1 to 128 characters and no line breaks.") }
        if let label, !Self.isPlain(label) {
            throw .invalidRequest("“deviceName” has 1 to 128 characters and no line breaks.")
        }
        if let platform, !["ios", "android"].contains(platform) {
            throw .invalidRequest("“platform” is ios or android.")
        }
        name = id
        self.label = label
        self.platform = platform
    }

    private static func isPlain(_ text: String) -> Bool {
        (1...lengthLimit).contains(text.count) && text.utf8.count <= 4 * lengthLimit
            && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }
}
