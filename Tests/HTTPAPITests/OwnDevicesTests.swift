import Accounts
import Audit
import Devices
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Owners see, name and revoke their devices.
struct OwnDevicesTests {
    @Test func `an owner sees their devices, the newest first, and which one asks`() async throws {
        try await Harness.run { harness in
            let first = try await harness.phone()
            harness.time.advance(by: .seconds(10))
            let second = try await harness.phone("ada@example.com", Harness.otherPhone)
            harness.time.advance(by: .seconds(10))
            let listed = try await harness.devices(first)
            #expect(listed.map(\.id) == [second.device.description, first.device.description])
            #expect(listed.map(\.deviceId) == [Harness.otherPhone, Harness.phone])
            #expect(listed.map(\.current) == [false, true])
            #expect(listed.map(\.deviceName) == ["Ada’s phone", "Ada’s phone"] && listed[0].platform == "ios")
            let before = try #require(listed[1].lastUsedAt)
            _ = try await harness.refreshMobile(first.tokens.refreshToken)
            #expect(try #require(try await harness.devices(first)[1].lastUsedAt) > before, "a refresh is a use")
        }
    }

    @Test func `a device is renamed, and a name that can't be is refused`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let path = "/api/mobile/devices/\(ada.device)"
            #expect(try await harness.send(.patch, path, ada.json, body: #"{"deviceName":"Work"}"#).status == .ok)
            #expect(try await harness.devices(ada).map(\.deviceName) == ["Work"])
            let blank = try await harness.send(.patch, path, ada.json, body: #"{"deviceName":""}"#)
            try harness.expect(blank, is: "invalid_device_name", 400)
        }
    }

    // T-124
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `attack: revoking a device ends its session and voids all that it kept at once`(
        _ storage: HarnessStorage
    )
        async throws
    {
        try await Harness.run(storage: storage) { harness in
            let lost = try await harness.phone()
            harness.time.advance(by: .seconds(1))
            let ada = try await harness.phone("ada@example.com", Harness.otherPhone)
            #expect(try await harness.send(.delete, "/api/mobile/devices/\(lost.device)", ada.bearer).status == .ok)
            try harness.expect(
                try await harness.send(.get, "/api/mobile/devices", lost.bearer),
                is: "unauthorized",
                401
            )
            try harness.expect(try await harness.refreshMobile(lost.tokens.refreshToken), is: "unauthorized", 401)
            #expect(try await harness.devices(ada).map(\.deviceId) == [Harness.otherPhone])
            #expect(try await harness.registerPhone(Harness.phone, [.deviceCredential: lost.credential]).status == .ok)
            #expect(try await harness.devices(ada).count == 1, "registered anew, it is nobody's")
            let again = try await harness.send(.delete, "/api/mobile/devices/\(lost.device)", ada.bearer)
            try harness.expect(again, is: "device_not_found", 404)
            let sessions = try await harness.send(.get, "/auth/sessions", ada.bearer)
                .decode(OwnedSessionsResponse.self).sessions
            #expect(sessions.map(\.open) == [true, false] && sessions[1].reason == "device_revoked")
        }
    }

    @Test func `who revokes the own device has signed out`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            #expect(try await harness.send(.delete, "/api/mobile/devices/\(ada.device)", ada.bearer).status == .ok)
            try harness.expect(try await harness.send(.get, "/api/mobile/devices", ada.bearer), is: "unauthorized", 401)
        }
    }

    @Test func `attack: another account's device answers 404 to naming, revoking and push tokens`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let bob = try await harness.phone("bob@example.com", Harness.otherPhone)
            let path = "/api/mobile/devices/\(ada.device)"
            #expect(try await harness.devices(bob).map(\.deviceId) == [Harness.otherPhone])
            for response in [
                try await harness.send(.patch, path, bob.json, body: #"{"deviceName":"Mine"}"#),
                try await harness.send(.delete, path, bob.bearer),
                try await harness.send(.delete, "/api/mobile/devices/nonsense", bob.bearer),
                try await harness.send(.delete, "/api/mobile/device/push-token/\(Harness.phone)", bob.bearer),
                try await harness.post("/api/mobile/device/push-token", Self.token, bob.bearer),
            ] { try harness.expect(response, is: "device_not_found", 404) }
            let listed = try await harness.devices(ada)
            #expect(listed.map(\.deviceName) == ["Ada’s phone"] && listed.map(\.hasPushToken) == [false])
        }
    }

    @Test func `a push token is kept and forgotten, and never shown again`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let kept = try await harness.post("/api/mobile/device/push-token", Self.token, ada.bearer)
            #expect(kept.status == .ok && !kept.text.contains("token-of"))
            let list = try await harness.send(.get, "/api/mobile/devices", ada.bearer)
            #expect(!list.text.contains("token-of") && list.text.contains(#""hasPushToken":true"#))
            let path = "/api/mobile/device/push-token/\(Harness.phone)"
            for _ in 0..<2 { #expect(try await harness.send(.delete, path, ada.bearer).status == .ok) }
            #expect(try await harness.devices(ada).map(\.hasPushToken) == [false])
            try harness.expect(
                try await harness.send(.delete, "/api/mobile/device/push-token/phone", ada.bearer),
                is: "invalid_device_id",
                400
            )
        }
    }

    @Test func `attack: the wallet's routes refuse missing, stale, refresh and other clients' tokens`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let elsewhere = try await harness.signIn()
            let disabled = try await harness.phone("bob@example.com", Harness.otherPhone)
            _ = try await harness.composition.accounts.disable("bob@example.com")
            let routes: [(HTTPRequest.Method, String, String?)] = [
                (.get, "/api/mobile/devices", nil), (.get, "/api/mobile/wallet/summary", nil),
                (.get, "/api/mobile/profile", nil), (.delete, "/api/mobile/devices/\(ada.device)", nil),
                (.patch, "/api/mobile/devices/\(ada.device)", #"{"deviceName":"x"}"#),
                (.post, "/api/mobile/device/push-token", Self.token),
                (.delete, "/api/mobile/device/push-token/\(Harness.phone)", nil),
                (.post, "/api/mobile/auth/biometric/setup", "{}"),
            ]
            let tokens = [
                nil, "stale", ada.tokens.refreshToken, elsewhere.tokens.accessToken, disabled.tokens.accessToken,
            ]
            for (method, path, body) in routes {
                for token in tokens {
                    var headers = token.map { HTTPFields.bearing($0) } ?? [:]
                    headers[.contentType] = "application/json"
                    let response = try await harness.send(method, path, headers, body: body)
                    #expect(response.status == .unauthorized, "\(method) \(path)")
                }
            }
            #expect(try await harness.devices(ada).count == 1)
        }
    }

    private static let token = #"{"deviceId":"\#(Harness.phone)","pushToken":"token-of-the-phone"}"#
}

extension Harness {
    func refreshMobile(_ token: String, _ proof: String = "") async throws -> TestResponse {
        try await post("/api/mobile/auth/token/refresh", #"{"refreshToken":"\#(token)"\#(proof)}"#)
    }
}
