import Devices
import HTTPTypes
import Hummingbird
import Kernel
package import Operations
import SignIn
import Web

/// One of the sets of routes that open accounts and sign in to them: whose they are, and how its apps differ.
package struct AccountSurface: Sendable {
    /// Its name in the config.
    private let name: String
    private let clients: ClientDirectory
    /// The client of a request that names none.
    private let client: String?
    /// Whether accounts can be opened there.
    package let isRegistrationOpen: Bool
    /// Whether its apps keep cookies: then a sign-in leaves them some, and they register no devices.
    package let keepsCookies: Bool

    package init(
        name: String,
        clients: ClientDirectory,
        client: String?,
        isRegistrationOpen: Bool,
        keepsCookies: Bool
    ) {
        self.name = name
        self.clients = clients
        self.client = client
        self.isRegistrationOpen = isRegistrationOpen
        self.keepsCookies = keepsCookies
    }

    /// The clients whose logins only known devices start.
    var clientsOfKnownDevices: [String] { clients.ofKnownDevices }

    /// The client whose routes these are, whatever a request says.
    func policy() throws -> ClientPolicy { try clients.client(named: nil, surface: client) }

    /// The client that a request names, in the body or its header, else the surface's.
    ///
    /// The published wallet app is itself, whatever a request says: with another client the device would be one that its own
    /// routes neither list nor remove.
    func policy(_ named: String?, _ request: Request) throws -> ClientPolicy {
        guard keepsCookies else { return try policy() }
        return try clients.client(named, request, surface: client, at: name)
    }

    /// What a sign-in at the surface says of the device that it comes from.
    func origin(of device: ClaimedDevice?, for policy: ClientPolicy, _ request: Request) -> SignInOrigin {
        SignInOrigin(
            registration: keepsCookies ? nil : device?.registration(of: policy.clientID),
            name: device?.name,
            language: AcceptedLanguage.texts(for: request).language,
            cookies: keepsCookies ? SignInCookies.brought(request).digests : nil
        )
    }
}
