import HTTPTypes
import HummingbirdTesting
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The wallet app's routes are of the wallet's client, whatever a request says.
struct WalletClientTests {
    private static let headers: HTTPFields = [.named("X-Client-Id"): "bbms"]

    @Test func `attack: a device added by a password sign-in with another clientId is in the wallet's device list`()
        async throws
    {
        try await Harness.run { harness in
            try await harness.register("eve@example.com")
            let body =
                #"{"email":"eve@example.com","password":"\#(Harness.password)","clientId":"other","#
                + #""deviceId":"\#(Harness.phone)","deviceName":"Eve’s phone","platform":"ios"}"#
            let answer = try await harness.post("/api/mobile/auth/login/password", body, Self.headers)
            #expect(answer.status == .ok, "\(answer.text)")
            try await expectWallet(harness, try answer.decode(SignInResponse.self))
        }
    }

    @Test func `attack: a device registered with a new account and another clientId is in the wallet's device list`()
        async throws
    {
        try await Harness.run { harness in
            let body =
                #"{"email":"fay@example.com","name":"Fay","password":"correct horse battery","clientId":"bbms","#
                + #""deviceId":"\#(Harness.phone)","deviceName":"Fay’s phone","platform":"android"}"#
            let answer = try await harness.post("/api/mobile/auth/register", body, Self.headers)
            #expect(answer.status == .created, "\(answer.text)")
            try await expectWallet(harness, try answer.decode(SignInResponse.self))
        }
    }

    /// Whether the tokens open the wallet's routes, and the device is among the owner's.
    private func expectWallet(_ harness: Harness, _ tokens: SignInResponse) async throws {
        let listed = try await harness.send(.get, "/api/mobile/devices", .bearing(tokens.accessToken))
        #expect(listed.status == .ok, "\(listed.text)")
        #expect(try listed.decode(OwnedDevicesResponse.self).devices.count == 1)
    }
}
