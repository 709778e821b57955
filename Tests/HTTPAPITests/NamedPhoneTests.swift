import Crypto
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The powers of a sign-in that names a phone which is the account's already.
struct NamedPhoneTests {
    private static let path = "/api/mobile/auth/login/password"

    // T-099
    @Test func `attack: a password sign-in that names the owner's phone can't set its first key`() async throws {
        try await Self.withOwner { harness, own in
            let attacker = try await harness.passwordSignIn("ada@example.com", path: Self.path).decode(
                SignInResponse.self
            )
            let key = P256.Signing.PrivateKey()
            try harness.expect(try await Self.setUp(key, attacker, harness), is: "step_up_required", 403)
            let challenge = try await harness.post(
                Harness.biometric + "/challenge",
                #"{"deviceId":"\#(Harness.phone)"}"#
            )
            try harness.expect(challenge, is: "biometric_not_enabled", 400)
            #expect(try #require(try await harness.devices(own).first).biometric == nil)
            // The owner's own session on it continues as before.
            #expect(try await Self.setUp(P256.Signing.PrivateKey(), own.tokens, harness).status == .ok)
        }
    }

    // T-099
    @Test func `attack: a credential given after a password sign-in can't set the phone's first key`()
        async throws
    {
        try await Self.withOwner { harness, own in
            for named in [#","deviceId":"\#(Harness.phone)""#, ""] {
                let body = #"{"email":"ada@example.com","password":"\#(Harness.password)"\#(named)}"#
                let first = try await harness.post(Self.path, body).decode(SignInResponse.self)
                let registered = try await harness.registerPhone(Harness.phone, .bearing(first.accessToken))
                let credential = try registered.decode(DeviceRegistrationResponse.self).deviceCredential
                let shown: HTTPFields = [.deviceCredential: credential]
                let again = try await harness.passwordSignIn("ada@example.com", path: Self.path, with: shown)
                let attacker = try again.decode(SignInResponse.self)
                let key = P256.Signing.PrivateKey()
                try harness.expect(try await Self.setUp(key, attacker, harness), is: "step_up_required", 403)
                // Its successor, which a session that presents it receives, is invalid too.
                let renewed = try await harness.registerPhone(Harness.phone, shown)
                let next = try renewed.decode(DeviceRegistrationResponse.self).deviceCredential
                let last = try await harness.passwordSignIn(
                    "ada@example.com",
                    path: Self.path,
                    with: [.deviceCredential: next]
                )
                let late = try last.decode(SignInResponse.self)
                try harness.expect(try await Self.setUp(key, late, harness), is: "step_up_required", 403)
            }
            #expect(try #require(try await harness.devices(own).first).biometric == nil)
        }
    }

    @Test func `the owner gives the phone its first key after a password and its credential, or a mailed code`()
        async throws
    {
        try await Self.withOwner { harness, own in
            let shown: HTTPFields = [.deviceCredential: own.credential]
            let first = try await harness.passwordSignIn("ada@example.com", path: Self.path, with: shown)
            let set = try await Self.setUp(P256.Signing.PrivateKey(), first.decode(SignInResponse.self), harness)
            #expect(set.status == .ok, "\(set.text)")
        }
        try await Self.withOwner { harness, _ in
            _ = try await harness.askForCode(on: Harness.phone)
            let code = try #require(try await harness.mails().last).code
            let mailed = try await harness.typeCode(code, on: Harness.phone).decode(SignInResponse.self)
            let set = try await Self.setUp(P256.Signing.PrivateKey(), mailed, harness)
            #expect(set.status == .ok, "\(set.text)")
        }
    }

    @Test func `a session by a mailed code makes the credential good that a password was given`()
        async throws
    {
        try await Self.withOwner { harness, _ in
            let body = #"{"email":"ada@example.com","password":"\#(Harness.password)","deviceId":"\#(Harness.phone)"}"#
            let first = try await harness.post(Self.path, body).decode(SignInResponse.self)
            let given = try await harness.registerPhone(Harness.phone, .bearing(first.accessToken))
            let weak = try given.decode(DeviceRegistrationResponse.self).deviceCredential
            _ = try await harness.askForCode(on: Harness.phone)
            // The owner is told of the credential in the same moment.
            let mails = try await harness.mails()
            let code = try #require(mails.first { $0.text.contains(#/\n    [0-9]{6}\n/#) }).code
            let mailed = try await harness.typeCode(code, on: Harness.phone).decode(SignInResponse.self)
            var both = HTTPFields.bearing(mailed.accessToken)
            both[.deviceCredential] = weak
            let renewed = try await harness.registerPhone(Harness.phone, both)
            let good = try renewed.decode(DeviceRegistrationResponse.self).deviceCredential
            let last = try await harness.passwordSignIn(
                "ada@example.com",
                path: Self.path,
                with: [.deviceCredential: good]
            )
            let set = try await Self.setUp(P256.Signing.PrivateKey(), last.decode(SignInResponse.self), harness)
            #expect(set.status == .ok, "\(set.text)")
        }
    }

    @Test func `a password is enough on a phone that it registers, as the published app has it`() async throws {
        try await Self.withOwner { harness, _ in
            #expect(try await harness.registerPhone(Harness.otherPhone).status == .ok)
            let body =
                #"{"email":"ada@example.com","password":"\#(Harness.password)","deviceId":"\#(Harness.otherPhone)"}"#
            let ada = try await harness.post(Self.path, body).decode(SignInResponse.self)
            #expect(try MailLoginTests.claims(ada.accessToken)["deviceId"] as? String == Harness.otherPhone)
            let set = try await Self.setUp(P256.Signing.PrivateKey(), ada, harness, Harness.otherPhone)
            #expect(set.status == .ok, "\(set.text)")
        }
    }

    @Test func `a phone that has a key stays usable after a password, and the session ends with the phone`()
        async throws
    {
        try await Self.withOwner { harness, own in
            let key = P256.Signing.PrivateKey()
            try #require(try await Self.setUp(key, own.tokens, harness).status == .ok)
            let again = try await harness.passwordSignIn("ada@example.com", path: Self.path).decode(SignInResponse.self)
            #expect(try MailLoginTests.claims(again.accessToken)["deviceId"] as? String == Harness.phone)
            #expect(try await Self.setUp(key, again, harness).status == .ok, "the same key changes nothing")
            _ = try await harness.signIn(by: key)
            let gone = try await harness.send(.delete, "/api/mobile/devices/\(own.device)", own.bearer)
            #expect(gone.status.kind == .successful, "\(gone.text)")
            let me = try await harness.send(.get, "/auth/me", .bearing(again.accessToken))
            try harness.expect(me, is: "unauthorized", 401)
        }
    }

    private static func setUp(
        _ key: P256.Signing.PrivateKey,
        _ tokens: SignInResponse,
        _ harness: Harness,
        _ phone: String = Harness.phone
    ) async throws -> TestResponse {
        try await harness.post(
            Harness.biometric + "/setup",
            #"{"deviceId":"\#(phone)","publicKey":"\#(Harness.spki(key.publicKey))","biometricType":"face"}"#,
            .bearing(tokens.accessToken)
        )
    }

    /// Ada, with a password, signed in on her phone, which has no key.
    private static func withOwner(_ body: @Sendable (Harness, PhoneOfTest) async throws -> Void) async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let set = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, ada.bearer)
            try #require(set.status == .ok, "\(set.text)")
            // The mail that tells of the password.
            _ = try await harness.mails()
            try await body(harness, try await harness.phone())
        }
    }
}
