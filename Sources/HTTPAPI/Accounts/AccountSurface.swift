import Devices
import HTTPTypes
import Hummingbird
import Kernel
import Operations
import SignIn
import Web

/// One of the sets of routes that open accounts and sign in to them, with its clients and the needs of its apps.
struct AccountSurface: Sendable {
    let surface: SurfaceConfiguration
    let clients: ClientDirectory
    /// Whether its apps keep cookies: then a sign-in sets some, and the apps register no devices.
    let keepsCookies: Bool

    var isRegistrationOpen: Bool { surface.isRegistrationOpen }

    /// The clients whose logins only known devices start.
    var clientsOfKnownDevices: [String] { clients.ofKnownDevices }

    /// Returns the client of these routes, whatever a request says.
    func policy() throws -> ClientPolicy { try clients.client(named: nil, surface: surface.client) }

    /// Returns the client that a request names, in the body or its header, else the surface's.
    ///
    /// The published wallet app counts as itself, whatever a request says. With another client the device would belong
    /// to that one, and its own routes could neither list nor remove it.
    func policy(_ named: String?, _ request: Request) throws -> ClientPolicy {
        guard keepsCookies else { return try policy() }
        let header = request.headers[our: .xClientID]
        if let named, let header, named != header {
            throw APIError.invalidRequest("“clientId” and the header X-Client-Id name different clients.")
        }
        return try clients.client(named: named ?? header, surface: surface.client, at: surface.name)
    }

    /// Returns the sign-in's information about the device that it comes from.
    func origin(of device: ClaimedDevice?, for policy: ClientPolicy, _ request: Request) -> SignInOrigin {
        SignInOrigin(
            registration: keepsCookies ? nil : device?.registration(of: policy.clientID),
            name: device?.name,
            language: AcceptedLanguage.texts(for: request).language,
            cookies: keepsCookies ? SignInCookies.deviceCookies(of: request).digests : nil
        )
    }
}
