import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import Operations

/// The device authorization endpoint (RFC 8628 §3.1): a device asks for its codes.
struct DeviceAuthorizationAPI: Sendable {
    let service: DeviceFlowService
    let clients: ClientReader
    let limits: DeviceFlowLimits?
    /// The key of all daemons by which addresses are hashed, so that no row reveals an address.
    let sourceKey: Secret
    let server: ServerConfiguration

    var routes: [Route] {
        let access = OpenAccess.everybody(accepting: .clientAuthentication)
        return [Route(.post, "/oauth/device_authorization", access: access, use: begin)]
    }

    /// RFC 8628 §3.2.
    private struct Codes: Encodable {
        let deviceCode: String
        let userCode: String
        let verificationURI: String
        let verificationURIComplete: String
        let expiresIn: Int64
        let interval: Int64

        enum CodingKeys: String, CodingKey {
            case deviceCode = "device_code"
            case userCode = "user_code"
            case verificationURI = "verification_uri"
            case verificationURIComplete = "verification_uri_complete"
            case expiresIn = "expires_in"
            case interval
        }
    }

    private func begin(_ request: Request, _ context: APIContext) async throws -> Response {
        try await OAuthReply.guarding(request) {
            let form = try await OAuthForm(body: request)
            let client = try await clients.read(request, context, form: form).client
            let address = server.addresses.client(of: request, context)
            try await limits?.admitRequest(from: address)
            let flow = try DeviceFlowRequest(
                scope: form["scope"],
                resources: form.all("resource"),
                by: client,
                from: .init(
                    address: address?.description ?? "",
                    agent: AgentFamily.describe(request.headers[.userAgent])
                ),
                source: Digest256(sha256: Array(sourceKey.expose().utf8) + (address?.counted.bytes ?? []))
            )
            return codes(try await service.begin(flow))
        }
    }

    private func codes(_ begun: BegunDeviceFlow) -> Response {
        OAuthReply.tokens(
            Codes(
                deviceCode: begun.deviceCode.expose(),
                userCode: begun.userCode.text,
                verificationURI: "\(server.publicURL)/device",
                verificationURIComplete: "\(server.publicURL)/device?user_code=\(begun.userCode.text)",
                expiresIn: service.policy.lifetime.secondsRoundedUp,
                interval: service.policy.interval.secondsRoundedUp
            )
        )
    }
}
