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

        @Test func `a phone registers, signs in by its key, also after a restart, until an operator revokes it`()
            async throws
        {
            try await Stage.run(Self.settings, people: ["accept@example.com"]) { stage in
                let key = P256.Signing.PrivateKey()
                let token = try await Self.signInByFace(stage)
                let registration = #"{"deviceId":"\#(Self.phone)","platform":"android","deviceName":"Test phone"}"#
                let registered = try await Self.post("device/register", registration, token, stage)
                let credential = try registered.json(DeviceRegistrationResponse.self).deviceCredential
                #expect(credential.utf8.count == 43)
                let taken = try await Self.post("device/register", registration, nil, stage)
                #expect(taken.status == 409 && taken.text.contains("device_already_registered"))

                let spki = key.publicKey.derRepresentation.base64EncodedString()
                let order = #"{"deviceId":"\#(Self.phone)","publicKey":"\#(spki)","biometricType":"fingerprint"}"#
                #expect(try await Self.post("auth/biometric/setup", order, token, stage).status == 200)
                let first = try await Self.signInByKey(key, stage)
                try await stage.daemon.restart()
                let second = try await Self.signInByKey(key, stage)
                #expect(first.user == second.user && second.user.email == "accept@example.com")
                let summary = try await Self.get("wallet/summary", second.accessToken, stage)
                #expect(try summary.json(WalletSummaryResponse.self).biometricEnabled)

                let rows = try await stage.daemon.order(["devices", "list", "accept@example.com", "--json"])
                    .json([Row].self)
                #expect(rows.map(\.deviceId) == [Self.phone] && rows[0].hasKey && rows[0].name == "Test phone")
                try await stage.daemon.order(["devices", "revoke", rows[0].id])
                #expect(try await Self.get("devices", second.accessToken, stage).status == 401)
                let asked = try await Self.post(
                    "auth/biometric/challenge",
                    #"{"deviceId":"\#(Self.phone)"}"#,
                    nil,
                    stage
                )
                #expect(asked.status == 400 && asked.text.contains("biometric_not_enabled"))
                let again = try await stage.daemon.command("devices", "revoke", rows[0].id)
                #expect(again.complaint.contains("device"), "\(again)")
            }
        }

        private static func signInByFace(_ stage: Stage) async throws -> String {
            var app = stage.cookielessApp
            app.headers["X-Client-Id"] = "mwsim"
            let login = try await app.begin("accept@example.com", withVerifier: true)
            return try #require(try await app.follow(login).accessToken)
        }

        private static func signInByKey(_ key: P256.Signing.PrivateKey, _ stage: Stage) async throws -> SignInResponse {
            let asked = try await post("auth/biometric/challenge", #"{"deviceId":"\#(phone)"}"#, "stale", stage)
            let challenge = try asked.json(BiometricChallengeResponse.self).challenge
            let signature = try key.signature(for: Data(challenge.utf8)).derRepresentation.base64EncodedString()
            let body = #"{"deviceId":"\#(phone)","signature":"\#(signature)","challenge":"\#(challenge)"}"#
            return try await post("auth/biometric/verify", body, nil, stage).json()
        }

        private static func post(
            _ path: String,
            _ json: String,
            _ token: String?,
            _ stage: Stage
        ) async throws -> WebClient.Reply {
            let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
            return try await stage.web.send(.post, "\(stage.daemon.url)/api/mobile/\(path)", headers, json: json)
        }

        private static func get(_ path: String, _ token: String, _ stage: Stage) async throws -> WebClient.Reply {
            let headers = ["Authorization": "Bearer \(token)"]
            return try await stage.web.send(.get, "\(stage.daemon.url)/api/mobile/\(path)", headers)
        }
    }
}
