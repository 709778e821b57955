import HTTPTypes
import HummingbirdTesting
import Testing
import Wire

@testable import Assembly

/// The owner is told of every device that is recognised from then on.
struct AddedDeviceTests {
    private static let credential = HTTPField.Name.named("X-Device-Credential")

    @Test func `attack: after a password sign-in each added device is told to the owner by mail`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            _ = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, ada.bearer)
            _ = try await harness.mails()
            let registered = try await harness.registerPhone(Harness.phone)
            let credential = try registered.decode(DeviceRegistrationResponse.self).deviceCredential
            #expect(try await harness.mails().isEmpty, "it is nobody's yet")
            let answer = try await harness.passwordSignIn(
                "ada@example.com",
                path: "/api/mobile/auth/login/password",
                with: [Self.credential: credential, .acceptLanguage: "sv"]
            )
            #expect(answer.status == .ok, "\(answer.text)")
            let told = try await harness.mails()
            #expect(told.map(\.to) == ["ada@example.com"])
            #expect(told.first?.subject.hasPrefix("En enhet har lagts till") == true, "\(told.map(\.subject))")
            let attacker = HTTPFields.bearing(try answer.decode(SignInResponse.self).accessToken)
            #expect(try await harness.registerPhone(Harness.otherPhone, attacker).status == .ok)
            #expect(try await harness.mails().map(\.to) == ["ada@example.com"], "of the next one as well")
        }
    }

    @Test func `registering an account on a device sends no mail about a new device`() async throws {
        try await Harness.run { harness in
            let registered = try await harness.registerPhone(Harness.phone)
            let credential = try registered.decode(DeviceRegistrationResponse.self).deviceCredential
            let body =
                #"{"email":"fay@example.com","name":"Fay","password":"correct horse battery","#
                + #""deviceId":"\#(Harness.phone)","deviceName":"Fay’s phone","platform":"ios"}"#
            let opened = try await harness.post("/api/mobile/auth/register", body, [Self.credential: credential])
            #expect(opened.status == .created, "\(opened.text)")
            #expect(try await harness.mails().map(\.subject).filter { $0.hasPrefix("A device") }.isEmpty)
        }
    }
}
