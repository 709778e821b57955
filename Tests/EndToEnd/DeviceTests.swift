import Crypto
import Foundation
import Kernel
import Outbound
import Testing
import Wire

extension EndToEnd {
    /// A phone from its registration to its end, with the real programs.
    @Suite struct Devices {
        struct Row: Decodable {
            let id: String
            let deviceId: String
            let name: String
            let hasKey: Bool
        }

        private static let phone = "0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11"
        private static let settings = ["clients.mwsim.initiators=anyone"]

        // T-124
        @Test func `a phone registers, signs in by its key, also after a restart, until an operator revokes it`()
            async throws
        {
            try await Fixture.run(Self.settings, people: ["accept@example.com"]) { fixture in
                let key = P256.Signing.PrivateKey()
                let token = try await Self.signInByFace(fixture)
                let registration = #"{"deviceId":"\#(Self.phone)","platform":"android","deviceName":"Test phone"}"#
                let registered = try await Self.post("device/register", registration, token, fixture)
                let credential = try registered.json(DeviceRegistrationResponse.self).deviceCredential
                #expect(credential.utf8.count == 43)
                let taken = try await Self.post("device/register", registration, nil, fixture)
                #expect(taken.status == 409 && taken.text.contains("device_already_registered"))

                let spki = key.publicKey.derRepresentation.base64EncodedString()
                let order = #"{"deviceId":"\#(Self.phone)","publicKey":"\#(spki)","biometricType":"fingerprint"}"#
                #expect(try await Self.post("auth/biometric/setup", order, token, fixture).status == 200)
                let first = try await Self.signInByKey(key, fixture)
                try await fixture.daemon.restart()
                let second = try await Self.signInByKey(key, fixture)
                #expect(first.user == second.user && second.user.email == "accept@example.com")
                let summary = try await Self.get("wallet/summary", second.accessToken, fixture)
                #expect(try summary.json(WalletSummaryResponse.self).biometricEnabled)

                let rows = try await fixture.daemon.order(["devices", "list", "accept@example.com", "--json"])
                    .json([Row].self)
                #expect(rows.map(\.deviceId) == [Self.phone] && rows[0].hasKey && rows[0].name == "Test phone")
                try await fixture.daemon.order(["devices", "revoke", rows[0].id])
                #expect(try await Self.get("devices", second.accessToken, fixture).status == 401)
                let asked = try await Self.post(
                    "auth/biometric/challenge",
                    #"{"deviceId":"\#(Self.phone)"}"#,
                    nil,
                    fixture
                )
                #expect(asked.status == 400 && asked.text.contains("biometric_not_enabled"))
                let again = try await fixture.daemon.command("devices", "revoke", rows[0].id)
                #expect(again.complaint.contains("device"), "\(again)")
            }
        }

        private static func signInByFace(_ fixture: Fixture) async throws -> String {
            var app = fixture.cookielessApp
            app.headers["X-Client-Id"] = "mwsim"
            let login = try await app.begin("accept@example.com", withVerifier: true)
            return try #require(try await app.follow(login).accessToken)
        }

        private static func signInByKey(
            _ key: P256.Signing.PrivateKey,
            _ fixture: Fixture
        ) async throws -> SignInResponse {
            let asked = try await post("auth/biometric/challenge", #"{"deviceId":"\#(phone)"}"#, "stale", fixture)
            let challenge = try asked.json(BiometricChallengeResponse.self).challenge
            let signature = try key.signature(for: Data(challenge.utf8)).derRepresentation.base64EncodedString()
            let body = #"{"deviceId":"\#(phone)","signature":"\#(signature)","challenge":"\#(challenge)"}"#
            return try await post("auth/biometric/verify", body, nil, fixture).json()
        }

        private static func post(
            _ path: String,
            _ json: String,
            _ token: String?,
            _ fixture: Fixture
        ) async throws -> WebClient.Reply {
            let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
            return try await fixture.web.send(.post, "\(fixture.daemon.url)/api/mobile/\(path)", headers, json: json)
        }

        private static func get(_ path: String, _ token: String, _ fixture: Fixture) async throws -> WebClient.Reply {
            let headers = ["Authorization": "Bearer \(token)"]
            return try await fixture.web.send(.get, "\(fixture.daemon.url)/api/mobile/\(path)", headers)
        }
    }
}
