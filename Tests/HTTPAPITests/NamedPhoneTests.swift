import Crypto
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// The powers of a sign-in that names a phone which is the account's already.
struct NamedPhoneTests {
    private static let path = "/api/mobile/auth/login/password"

    @Test func `attack: who learned the password and names the owner's phone gives it no first key`() async throws {
        try await Self.withOwner { bench, own in
            let thief = try await bench.passwordSignIn("ada@example.com", path: Self.path).decode(SignInResponse.self)
            let key = P256.Signing.PrivateKey()
            try bench.expect(try await Self.setUp(key, thief, bench), is: "step_up_required", 403)
            let challenge = try await bench.post(Bench.biometric + "/challenge", #"{"deviceId":"\#(Bench.phone)"}"#)
            try bench.expect(challenge, is: "biometric_not_enabled", 400)
            #expect(try #require(try await bench.devices(own).first).biometric == nil)
            // The owner's own session on it continues as before.
            #expect(try await Self.setUp(P256.Signing.PrivateKey(), own.tokens, bench).status == .ok)
        }
    }

    @Test func `attack: a credential that a sign-in by password was given for the phone is no way to its first key`()
        async throws
    {
        try await Self.withOwner { bench, own in
            for named in [#","deviceId":"\#(Bench.phone)""#, ""] {
                let body = #"{"email":"ada@example.com","password":"\#(Bench.password)"\#(named)}"#
                let first = try await bench.post(Self.path, body).decode(SignInResponse.self)
                let registered = try await bench.registerPhone(Bench.phone, .bearing(first.accessToken))
                let credential = try registered.decode(DeviceRegistrationResponse.self).deviceCredential
                let shown: HTTPFields = [.deviceCredential: credential]
                let again = try await bench.passwordSignIn("ada@example.com", path: Self.path, with: shown)
                let thief = try again.decode(SignInResponse.self)
                let key = P256.Signing.PrivateKey()
                try bench.expect(try await Self.setUp(key, thief, bench), is: "step_up_required", 403)
                // Its successor, which a session that presents it receives, is invalid too.
                let renewed = try await bench.registerPhone(Bench.phone, shown)
                let next = try renewed.decode(DeviceRegistrationResponse.self).deviceCredential
                let last = try await bench.passwordSignIn(
                    "ada@example.com",
                    path: Self.path,
                    with: [.deviceCredential: next]
                )
                let late = try last.decode(SignInResponse.self)
                try bench.expect(try await Self.setUp(key, late, bench), is: "step_up_required", 403)
            }
            #expect(try #require(try await bench.devices(own).first).biometric == nil)
        }
    }

    @Test func `the owner gives the phone its first key after a password and its credential, or a mailed code`()
        async throws
    {
        try await Self.withOwner { bench, own in
            let shown: HTTPFields = [.deviceCredential: own.credential]
            let first = try await bench.passwordSignIn("ada@example.com", path: Self.path, with: shown)
            let set = try await Self.setUp(P256.Signing.PrivateKey(), first.decode(SignInResponse.self), bench)
            #expect(set.status == .ok, "\(set.text)")
        }
        try await Self.withOwner { bench, _ in
            _ = try await bench.askForCode(on: Bench.phone)
            let code = try #require(try await bench.mails().last).code
            let mailed = try await bench.typeCode(code, on: Bench.phone).decode(SignInResponse.self)
            let set = try await Self.setUp(P256.Signing.PrivateKey(), mailed, bench)
            #expect(set.status == .ok, "\(set.text)")
        }
    }

    @Test func `a session by a mailed code makes the credential good that a password was given`() async throws {
        try await Self.withOwner { bench, _ in
            let body = #"{"email":"ada@example.com","password":"\#(Bench.password)","deviceId":"\#(Bench.phone)"}"#
            let first = try await bench.post(Self.path, body).decode(SignInResponse.self)
            let given = try await bench.registerPhone(Bench.phone, .bearing(first.accessToken))
            let weak = try given.decode(DeviceRegistrationResponse.self).deviceCredential
            _ = try await bench.askForCode(on: Bench.phone)
            let code = try #require(try await bench.mails().last).code
            let mailed = try await bench.typeCode(code, on: Bench.phone).decode(SignInResponse.self)
            var both = HTTPFields.bearing(mailed.accessToken)
            both[.deviceCredential] = weak
            let renewed = try await bench.registerPhone(Bench.phone, both)
            let good = try renewed.decode(DeviceRegistrationResponse.self).deviceCredential
            let last = try await bench.passwordSignIn(
                "ada@example.com",
                path: Self.path,
                with: [.deviceCredential: good]
            )
            let set = try await Self.setUp(P256.Signing.PrivateKey(), last.decode(SignInResponse.self), bench)
            #expect(set.status == .ok, "\(set.text)")
        }
    }

    @Test func `a password is enough on a phone that it registers, as the published app has it`() async throws {
        try await Self.withOwner { bench, _ in
            #expect(try await bench.registerPhone(Bench.otherPhone).status == .ok)
            let body =
                #"{"email":"ada@example.com","password":"\#(Bench.password)","deviceId":"\#(Bench.otherPhone)"}"#
            let ada = try await bench.post(Self.path, body).decode(SignInResponse.self)
            #expect(try MailLoginTests.claims(ada.accessToken)["deviceId"] as? String == Bench.otherPhone)
            let set = try await Self.setUp(P256.Signing.PrivateKey(), ada, bench, Bench.otherPhone)
            #expect(set.status == .ok, "\(set.text)")
        }
    }

    @Test func `a phone that has a key stays usable after a password, and the session ends with the phone`()
        async throws
    {
        try await Self.withOwner { bench, own in
            let key = P256.Signing.PrivateKey()
            try #require(try await Self.setUp(key, own.tokens, bench).status == .ok)
            let again = try await bench.passwordSignIn("ada@example.com", path: Self.path).decode(SignInResponse.self)
            #expect(try MailLoginTests.claims(again.accessToken)["deviceId"] as? String == Bench.phone)
            #expect(try await Self.setUp(key, again, bench).status == .ok, "the same key changes nothing")
            _ = try await bench.signIn(by: key)
            let gone = try await bench.send(.delete, "/api/mobile/devices/\(own.device)", own.bearer)
            #expect(gone.status.kind == .successful, "\(gone.text)")
            let me = try await bench.send(.get, "/auth/me", .bearing(again.accessToken))
            try bench.expect(me, is: "unauthorized", 401)
        }
    }

    private static func setUp(
        _ key: P256.Signing.PrivateKey,
        _ tokens: SignInResponse,
        _ bench: Bench,
        _ phone: String = Bench.phone
    ) async throws -> TestResponse {
        try await bench.post(
            Bench.biometric + "/setup",
            #"{"deviceId":"\#(phone)","publicKey":"\#(Bench.spki(key.publicKey))","biometricType":"face"}"#,
            .bearing(tokens.accessToken)
        )
    }

    /// Ada, with a password, signed in on her phone, which has no key.
    private static func withOwner(_ body: @Sendable (Bench, PhoneOfTest) async throws -> Void) async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let set = try await bench.post("/auth/password", #"{"newPassword": "\#(Bench.password)"}"#, ada.bearer)
            try #require(set.status == .ok, "\(set.text)")
            try await body(bench, try await bench.phone())
        }
    }
}
