import HTTPTypes
import HummingbirdTesting
import Testing
import Wire

@testable import Vestibule

/// The owner is told of every device that is recognised from then on.
struct AddedDeviceTests {
    private static let credential = HTTPField.Name.named("X-Device-Credential")

    @Test func `attack: a password adds no device without a word to the owner`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            _ = try await bench.post("/auth/password", #"{"newPassword": "\#(Bench.password)"}"#, ada.bearer)
            _ = try await bench.mails()
            let registered = try await bench.registerPhone(Bench.phone)
            let credential = try registered.decode(DeviceRegistrationResponse.self).deviceCredential
            #expect(try await bench.mails().isEmpty, "it is nobody's yet")
            let answer = try await bench.passwordSignIn(
                "ada@example.com",
                path: "/api/mobile/auth/login/password",
                with: [Self.credential: credential, .acceptLanguage: "sv"]
            )
            #expect(answer.status == .ok, "\(answer.text)")
            let told = try await bench.mails()
            #expect(told.map(\.to) == ["ada@example.com"])
            #expect(told.first?.subject.hasPrefix("En enhet har lagts till") == true, "\(told.map(\.subject))")
            let thief = HTTPFields.bearing(try answer.decode(SignInResponse.self).accessToken)
            #expect(try await bench.registerPhone(Bench.otherPhone, thief).status == .ok)
            #expect(try await bench.mails().map(\.to) == ["ada@example.com"], "of the next one as well")
        }
    }

    @Test func `the device that an account is opened on is told of to nobody`() async throws {
        try await Bench.run { bench in
            let registered = try await bench.registerPhone(Bench.phone)
            let credential = try registered.decode(DeviceRegistrationResponse.self).deviceCredential
            let body =
                #"{"email":"fay@example.com","name":"Fay","password":"correct horse battery","#
                + #""deviceId":"\#(Bench.phone)","deviceName":"Fay’s phone","platform":"ios"}"#
            let opened = try await bench.post("/api/mobile/auth/register", body, [Self.credential: credential])
            #expect(opened.status == .created, "\(opened.text)")
            #expect(try await bench.mails().map(\.subject).filter { $0.hasPrefix("A device") }.isEmpty)
        }
    }
}
