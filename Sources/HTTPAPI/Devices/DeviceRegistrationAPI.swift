package import Devices
import Hummingbird
import Kernel
import Operations
import Wire

/// Devices register themselves.
package struct DeviceRegistrationAPI: Sendable {
    private let registrar: DeviceRegistrar
    private let client: MobileClient
    private let limits: DeviceLimits?
    private let addresses: ClientAddresses
    private let body: JSONBody

    /// `limits`: `nil` for none: benches.
    package init(
        registrar: DeviceRegistrar,
        client: MobileClient,
        limits: DeviceLimits?,
        addresses: ClientAddresses,
        bodyLimit: Int
    ) {
        self.registrar = registrar
        self.client = client
        self.limits = limits
        self.addresses = addresses
        body = JSONBody(limit: bodyLimit)
    }

    package var routes: [Route] {
        [
            Route(
                .post,
                "/api/mobile/device/register",
                access: .guest(.wallet, heeding: .deviceCredential),
                register
            )
        ]
    }

    /// `POST /api/mobile/device/register`: for anybody; a bearer token that is no good is as good as none.
    @Sendable private func register(
        _ request: Request,
        _ context: APIContext,
        _ guest: Guest
    ) async throws -> Response {
        let asked = try await body.decode(DeviceRegistrationRequest.self, from: request)
        let order = try order(asked, request)
        let who = try await guest.signedIn()
        if who?.isRecent != true { try limits?.admitRegistration(from: addresses.client(of: request, context)) }
        let registrant: Registrant = who.map { .person($0.account, isFresh: $0.isRecent) } ?? .anybody
        switch try await registrar.register(order, by: registrant) {
        case .registered(let credential, let expiresAt):
            return JSONReply.encode(
                DeviceRegistrationResponse(
                    deviceCredential: credential.expose(),
                    expiresAt: expiresAt.internetDate
                )
            )
        case .taken: throw Problem.deviceRegistered
        case .stepUpRequired: throw Problem.stepUpRequired
        }
    }

    private func order(_ asked: DeviceRegistrationRequest, _ request: Request) throws -> DeviceRegistration {
        DeviceRegistration(
            client: try client.policy().clientID,
            name: try DeviceInput.id(asked.deviceId),
            label: try DeviceInput.label(asked.deviceName),
            platform: try DeviceInput.platform(asked.platform),
            pushToken: try asked.pushToken.map(DeviceInput.pushToken),
            credential: request.deviceCredential
        )
    }
}

extension Request {
    /// SHA-256 of the device credential that the request shows.
    var deviceCredential: Digest256? { headers[our: .xDeviceCredential].map { Digest256(sha256: $0) } }
}
