import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing
import Wire

@testable import HTTPAPI
@testable import Vestibule

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
        try await Bench.run { bench in
            try await bench.register("eve@example.com")
            let credential = try await bench.registerPhone().decode(DeviceRegistrationResponse.self).deviceCredential
            let tokens = try await Self.signIn("eve@example.com", way, bench, [.deviceCredential: credential])
                .decode(SignInResponse.self)
            let devices = try await Self.devices(tokens, bench)
            #expect(devices.map(\.deviceId) == [Bench.phone] && devices.first?.current == true)
            #expect(try Self.claimedDevice(tokens) == Bench.phone)
            let again = try await bench.registerPhone(Bench.phone, [.deviceCredential: credential])
            #expect(again.status == .ok, "its credential is good still")
            try bench.expect(try await bench.registerPhone(), is: "device_already_registered", 409)
        }
    }

    @Test(arguments: Way.allCases)
    func `attack: signing in under another's device id takes no device, and no token names it`(
        _ way: Way
    ) async throws {
        try await Bench.run { bench in
            for email in ["eve@example.com", "mallory@example.com"] { try await bench.register(email) }
            _ = try await bench.registerPhone()
            let eve = try await Self.signIn("eve@example.com", .password, bench).decode(SignInResponse.self)
            let mallory = try await Self.signIn("mallory@example.com", way, bench).decode(SignInResponse.self)
            #expect(try await Self.devices(mallory, bench).isEmpty)
            #expect(try Self.claimedDevice(mallory) == nil)
            #expect(try await Self.devices(eve, bench).map(\.deviceId) == [Bench.phone])
        }
    }

    @Test func `attack: an account is opened on no device of another's, and on none that nobody described`()
        async throws
    {
        try await Bench.run { bench in
            try await bench.register("eve@example.com")
            let path = "/api/mobile/auth/register"
            let bare = #"{"email": "bo@example.com", "name": "Bo", "deviceId": "\#(Bench.phone)"}"#
            try bench.expect(try await bench.post(path, bare), is: "invalid_request", 400)
            _ = try await bench.registerPhone()
            _ = try await Self.signIn("eve@example.com", .password, bench)
            try bench.expect(try await bench.post(path, bare), is: "invalid_request", 400)
            await #expect(throws: AccountError.self) { try await bench.composition.accounts.show("bo@example.com") }
            _ = try await bench.registerPhone(Bench.otherPhone)
            let other = bare.replacing(Bench.phone, with: Bench.otherPhone)
            #expect(try await bench.post(path, other).status == .created, "registered before: three members do")
        }
    }

    @Test func `the app opens an account on a phone of another's, which stays the other's`() async throws {
        try await Bench.run { bench in
            try await bench.register("eve@example.com")
            _ = try await bench.registerPhone()
            let eve = try await Self.signIn("eve@example.com", .password, bench).decode(SignInResponse.self)
            // The published app sends this: it keeps its device id through a sign-out.
            let body =
                #"{"email": "bo@example.com", "name": "Bo", "deviceId": "\#(Bench.phone)", "#
                + #""deviceName": "A phone", "platform": "ios"}"#
            let answer = try await bench.post("/api/mobile/auth/register", body)
            try #require(answer.status == .created, "\(answer.text)")
            let bo = try answer.decode(SignInResponse.self)
            #expect(try Self.claimedDevice(bo) == nil, "no token names what is not theirs")
            #expect(try await Self.devices(bo, bench).isEmpty)
            #expect(try await Self.devices(eve, bench).map(\.deviceId) == [Bench.phone])
            let claim = try await bench.registerPhone(Bench.phone, .bearing(bo.accessToken))
            try bench.expect(claim, is: "device_already_registered", 409)
        }
    }

    private static func signIn(
        _ email: String,
        _ way: Way,
        _ bench: Bench,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        switch way {
        case .password:
            return try await bench.passwordSignIn(email, path: "/api/mobile/auth/login/password", with: headers)
        case .code:
            _ = try await bench.mails()
            _ = try await bench.askForCode(email, on: Bench.phone, headers)
            let code = try #require(try await bench.mails().last { $0.to == email }).code
            return try await bench.typeCode(code, #""email":"\#(email)""#, on: Bench.phone, more: "", headers)
        }
    }

    private static func devices(_ tokens: SignInResponse, _ bench: Bench) async throws -> [OwnedDeviceView] {
        try await bench.send(.get, "/api/mobile/devices", .bearing(tokens.accessToken))
            .decode(OwnedDevicesResponse.self).devices
    }

    private static func claimedDevice(_ tokens: SignInResponse) throws -> String? {
        let bytes = try #require(Base64URL.decode(String(tokens.accessToken.split(separator: ".")[1])))
        let claims = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        return claims["deviceId"] as? String
    }
}
