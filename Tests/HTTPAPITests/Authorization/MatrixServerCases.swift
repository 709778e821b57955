import HTTPTypes
import Kernel
import OAuth
import Testing

@testable import Assembly
@testable import HTTPAPI

extension MatrixCases {
    private static let request =
        "response_type=code&client_id=myvoo&redirect_uri=myapp.scheme.demo%3A%2F%2Fcode_callback&state=x"

    /// The entry points of clients: an authorization request, a pushed one, a backchannel one, a device's, a
    /// registration.
    static let authorizationServer: [MatrixCase] =
        ["/oauth/authorize", "/authorize"].flatMap { path in
            [
                MatrixCase("GET \(path)", .nothing) { _ in MatrixRequest("\(path)?\(request)") }.answered(303),
                MatrixCase("POST \(path)", .nothing) { _ in MatrixRequest(path, form: request) }.answered(303),
            ]
        } + [
            MatrixCase("POST /oauth/par", .nothing) { _ in MatrixRequest("/oauth/par", form: request) }.answered(201),
            MatrixCase("POST /oauth/bc-authorize", .inRequest(ofAccount: false)) { context in
                var metadata = ClientMetadata()
                metadata.grants = [.ciba]
                metadata.method = .secretPost
                metadata.backchannel = .init(delivery: .poll, notificationEndpoint: nil, requiresSignedRequests: false)
                let id = "bank-\(context.person.number)"
                let issued = try await context.harness.composition.oauth.clients.add(metadata, id: id)
                let secret = context.isProved ? try #require(issued.secret).expose() : MatrixContext.guess
                return MatrixRequest(
                    "/oauth/bc-authorize",
                    form: "client_id=\(id)&client_secret=\(secret)&scope=openid&login_hint=nobody%40example.com"
                )
            },
            MatrixCase("POST /oauth/device_authorization", .nothing) { context in
                var metadata = ClientMetadata()
                metadata.grants = [.deviceCode]
                metadata.method = .none
                let id = "tv-\(context.person.number)"
                _ = try await context.harness.composition.oauth.clients.add(metadata, id: id)
                return MatrixRequest("/oauth/device_authorization", form: "client_id=\(id)")
            },
            MatrixCase("POST /oauth/register", .inRequest(ofAccount: false)) { context in
                let ticket = try await context.harness.composition.oauth.clients.openRegistration(
                    uses: 1,
                    lifetime: .seconds(60)
                )
                let token = context.isProved ? ticket.token.expose() : MatrixContext.guess
                return MatrixRequest(
                    "/oauth/register",
                    .bearing(token),
                    json: #"{"client_name":"App","redirect_uris":["https://app.example.com/callback"]}"#
                )
            }.asBearer.answered(201),
            MatrixCase("POST /device", .nothing) { _ in MatrixRequest("/device", form: "") }.answered(303),
        ] + fetching("/device", .nothing) { _ in MatrixRequest("/device") }
}
