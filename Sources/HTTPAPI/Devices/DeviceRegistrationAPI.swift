import Devices
import Hummingbird
import Kernel
import Operations
import Web
import Wire

/// Lets devices register themselves.
struct DeviceRegistrationAPI: Sendable {
    let registrar: DeviceRegistrar
    let surface: AccountSurface
    let limits: DeviceLimits?
    let addresses: ClientAddresses
    let body: JSONBody

    var routes: [Route] {
        [
            Route(
                .post,
                "/api/mobile/device/register",
                access: .guest(.wallet, accepting: .deviceCredential),
                use: register
            )
        ]
    }

    /// `POST /api/mobile/device/register`: for every caller; an invalid bearer token is ignored.
    private func register(_ request: Request, _ context: APIContext, by guest: Guest) async throws -> Response {
        let input = try await body.decode(DeviceRegistrationRequest.self, from: request)
        let registration = try self.registration(input, request)
        let who = try await guest.signedIn()
        if who?.isRecent != true { try await limits?.admitRegistration(from: addresses.client(of: request, context)) }
        let registrant: Registrant =
            who.map {
                .person($0.account, isFresh: $0.isRecent, session: $0.session, on: $0.isDeviceProven ? $0.device : nil)
            } ?? .anybody
        let requester = context.requester(of: request)
        switch try await registrar.register(registration, by: registrant, requester: requester) {
        case .registered(let credential, let expiresAt):
            return JSONReply.encode(
                DeviceRegistrationResponse(deviceCredential: credential.expose(), expiresAt: expiresAt.internetDate)
            )
        case .taken: throw APIError.deviceRegistered
        case .stepUpRequired: throw APIError.stepUpRequired
        case .tooMany: throw APIError.tooManyDevices
        }
    }

    private func registration(_ input: DeviceRegistrationRequest, _ request: Request) throws -> DeviceRegistration {
        let device = try ClaimedDevice(id: input.deviceId, label: input.deviceName, platform: input.platform, request)
        return device.registration(
            of: try surface.policy().clientID,
            pushToken: try input.pushToken.map(DeviceInput.pushToken)
        )
    }
}
