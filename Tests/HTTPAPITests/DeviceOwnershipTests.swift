import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The account that a phone belongs to after sign-ins of the wallet app, over its routes alone.
struct DeviceOwnershipTests {
    /// A way of signing in on a phone: as Eve, or as Mallory.
    enum Way: String, CaseIterable, Sendable {
        case password, code
    }

    @Test(arguments: Way.allCases)
    func `a phone that registers at launch is its owner's from the first sign-in on, with its credential`(
        _ way: Way
    ) async throws {
        try await Harness.run { harness in
            try await harness.register("eve@example.com")
            let credential = try await harness.registerPhone().decode(DeviceRegistrationResponse.self).deviceCredential
            let tokens = try await Self.signIn("eve@example.com", way, harness, [.deviceCredential: credential])
                .decode(SignInResponse.self)
            let devices = try await Self.devices(tokens, harness)
            #expect(devices.map(\.deviceId) == [Harness.phone] && devices.first?.current == true)
            #expect(try Self.claimedDevice(tokens) == Harness.phone)
            let again = try await harness.registerPhone(Harness.phone, [.deviceCredential: credential])
            #expect(again.status == .ok, "its credential is good still")
            try harness.expect(try await harness.registerPhone(), is: "device_already_registered", 409)
        }
    }

    @Test(arguments: Way.allCases)
    func `attack: a sign-in that names another account's device id gets no device and no deviceId claim`(
        _ way: Way
    ) async throws {
        try await Harness.run { harness in
            for email in ["eve@example.com", "mallory@example.com"] { try await harness.register(email) }
            _ = try await harness.registerPhone()
            let eve = try await Self.signIn("eve@example.com", .password, harness).decode(SignInResponse.self)
            let mallory = try await Self.signIn("mallory@example.com", way, harness).decode(SignInResponse.self)
            #expect(try await Self.devices(mallory, harness).isEmpty)
            #expect(try Self.claimedDevice(mallory) == nil)
            #expect(try await Self.devices(eve, harness).map(\.deviceId) == [Harness.phone])
        }
    }

    @Test func `attack: registration on another account's or an undescribed device gets 400 and opens no account`()
        async throws
    {
        try await Harness.run { harness in
            try await harness.register("eve@example.com")
            let path = "/api/mobile/auth/register"
            let bare = #"{"email": "bo@example.com", "name": "Bo", "deviceId": "\#(Harness.phone)"}"#
            try harness.expect(try await harness.post(path, bare), is: "invalid_request", 400)
            _ = try await harness.registerPhone()
            _ = try await Self.signIn("eve@example.com", .password, harness)
            try harness.expect(try await harness.post(path, bare), is: "invalid_request", 400)
            await #expect(throws: AccountError.self) { try await harness.composition.accounts.show("bo@example.com") }
            _ = try await harness.registerPhone(Harness.otherPhone)
            let other = bare.replacing(Harness.phone, with: Harness.otherPhone)
            #expect(try await harness.post(path, other).status == .created, "registered before: three members do")
        }
    }

    @Test func `the app opens an account on a phone of another's, which stays the other's`() async throws {
        try await Harness.run { harness in
            try await harness.register("eve@example.com")
            _ = try await harness.registerPhone()
            let eve = try await Self.signIn("eve@example.com", .password, harness).decode(SignInResponse.self)
            // The published app sends this: it keeps its device id through a sign-out.
            let body =
                #"{"email": "bo@example.com", "name": "Bo", "deviceId": "\#(Harness.phone)", "#
                + #""deviceName": "A phone", "platform": "ios"}"#
            let answer = try await harness.post("/api/mobile/auth/register", body)
            try #require(answer.status == .created, "\(answer.text)")
            let bo = try answer.decode(SignInResponse.self)
            #expect(try Self.claimedDevice(bo) == nil, "no token names what is not theirs")
            #expect(try await Self.devices(bo, harness).isEmpty)
            #expect(try await Self.devices(eve, harness).map(\.deviceId) == [Harness.phone])
            let claim = try await harness.registerPhone(Harness.phone, .bearing(bo.accessToken))
            try harness.expect(claim, is: "device_already_registered", 409)
        }
    }

    private static func signIn(
        _ email: String,
        _ way: Way,
        _ harness: Harness,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        switch way {
        case .password:
            return try await harness.passwordSignIn(email, path: "/api/mobile/auth/login/password", with: headers)
        case .code:
            _ = try await harness.mails()
            _ = try await harness.askForCode(email, on: Harness.phone, headers)
            let code = try #require(try await harness.mails().last { $0.to == email }).code
            return try await harness.typeCode(code, #""email":"\#(email)""#, on: Harness.phone, more: "", headers)
        }
    }

    private static func devices(_ tokens: SignInResponse, _ harness: Harness) async throws -> [OwnedDeviceView] {
        try await harness.send(.get, "/api/mobile/devices", .bearing(tokens.accessToken))
            .decode(OwnedDevicesResponse.self).devices
    }

    private static func claimedDevice(_ tokens: SignInResponse) throws -> String? {
        let bytes = try #require(Base64URL.decode(String(tokens.accessToken.split(separator: ".")[1])))
        let claims = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        return claims["deviceId"] as? String
    }
}
