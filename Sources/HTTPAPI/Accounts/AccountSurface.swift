import Devices
import HTTPTypes
import Hummingbird
import Kernel
import Operations
import SignIn
import Web

/// One set of routes that open accounts and sign in to them, with its clients and what its apps need.
struct AccountSurface: Sendable {
    let surface: SurfaceConfiguration
    let clients: ClientDirectory
    /// Whether the surface's apps keep cookies: sign-ins then set cookies, and the apps register no devices.
    let keepsCookies: Bool

    var isRegistrationOpen: Bool { surface.isRegistrationOpen }

    /// The clients with which only known devices can start logins.
    var clientsOfKnownDevices: [String] { clients.ofKnownDevices }

    /// Returns the surface's own client, whatever a request says.
    func policy() throws -> ClientPolicy { try clients.client(named: nil, surface: surface.client) }

    /// Returns the client that a request names in its body or header, or else the surface's own.
    ///
    /// The published wallet app always gets the wallet's client, whatever its request says. A device of another client
    /// could be neither listed nor removed by the wallet's own routes.
    func policy(_ named: String?, _ request: Request) throws -> ClientPolicy {
        guard keepsCookies else { return try policy() }
        let header = request.headers[our: .xClientID]
        if let named, let header, named != header {
            throw APIError.invalidRequest("“clientId” and the header X-Client-Id name different clients.")
        }
        return try clients.client(named: named ?? header, surface: surface.client, at: surface.name)
    }

    /// Returns the details of the device from which the request signs in.
    func origin(
        of device: ClaimedDevice?,
        for policy: ClientPolicy,
        _ request: Request,
        by requester: Requester
    ) -> SignInOrigin {
        SignInOrigin(
            registration: keepsCookies ? nil : device?.registration(of: policy.clientID),
            name: device?.name,
            requester: requester,
            person: requester,
            cookies: keepsCookies ? SignInCookies.deviceCookies(of: request).digests : nil
        )
    }
}
