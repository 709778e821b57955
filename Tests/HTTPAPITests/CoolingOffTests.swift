import Accounts
import Crypto
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import SignIn
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// What replaces a proven address or an enrolled face: a mailed code, or a key or a face that is old enough.
struct CoolingOffTests {
    private static let new = #"{"email":"lovelace@example.com"}"#
    private let key = P256.Signing.PrivateKey()

    // T-110
    @Test(
        arguments: [
            (.mailedCode, true), (.password, false), (.newAccount, false), (.deviceKey(nil), false),
            (.passkey(PasskeyID(UUIDBits(high: 1, low: 2)), isSynced: false, isUserVerified: true), false),
        ] as [(AuthenticationProof, Bool)]
    )
    func `only a mailed code and no password can replace a proved address at once`(
        _ proof: AuthenticationProof,
        _ isEnough: Bool
    ) async throws {
        try await Harness.run { harness in
            let phone = try await harness.phone("ada@example.com", Harness.phone, proof: proof)
            _ = try await harness.mails()
            try await expect(harness, isEnough, .bearing(phone.tokens.accessToken))
        }
    }

    // T-106
    @Test func `attack: a fresh device key set up after a password sign-in can't replace a proved address or a face`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            _ = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, ada.bearer)
            _ = try await harness.mails()
            let attacker = try await harness.phone("ada@example.com", Harness.otherPhone)
            #expect(
                try await harness.setUp(Harness.spki(key.publicKey), attacker).status == .ok,
                "wallets need no more"
            )
            #expect(try await harness.mails().map(\.to) == ["ada@example.com"], "the owner is told at once")
            let opened = try await harness.signIn(by: key, Harness.otherPhone)
            try await expect(harness, false, .bearing(opened.accessToken))
            let me = try await harness.me(opened.accessToken)
            #expect(me.email == "ada@example.com")
            // A refresh makes the key no older, and nor does a key in its place that the same phone agrees to.
            harness.time.advance(by: .seconds(590))
            try await expect(harness, false, .bearing(opened.accessToken))
        }
    }

    // T-110
    @Test func `a key counts for more than a password a day after its set-up, for the sign-ins from then on`()
        async throws
    {
        try await Harness.run { harness in
            let phone = try await harness.phone()
            let setUpAt = harness.composition.environment.now()
            #expect(try await harness.setUp(Harness.spki(key.publicKey), phone).status == .ok)
            _ = try await harness.mails()
            harness.time.advance(by: CoolingOff.period - .seconds(1))
            let early = try await harness.signIn(by: key)
            harness.time.advance(by: .seconds(1))
            #expect(harness.composition.environment.now() - setUpAt == CoolingOff.period)
            try await expect(harness, false, .bearing(early.accessToken))
            let late = try await harness.signIn(by: key)
            try await expect(harness, true, .bearing(late.accessToken))
        }
    }

    // T-110
    @Test func `attack: a replaced device key starts its cooling-off anew, also on a phone whose old key was past it`()
        async throws
    {
        try await Harness.run { harness in
            let phone = try await harness.phone()
            #expect(try await harness.setUp(Harness.spki(key.publicKey), phone).status == .ok)
            harness.time.advance(by: CoolingOff.period + .seconds(1))
            let old = try await harness.signIn(by: key)
            let mailed = try await harness.signIn(
                "ada@example.com",
                on: Harness.phone,
                showing: phone.credential,
                proof: .mailedCode
            )
            let other = P256.Signing.PrivateKey()
            #expect(try await harness.setUp(Harness.spki(other.publicKey), mailed).status == .ok)
            _ = try await harness.mails()
            let young = try await harness.signIn(by: other)
            for token in [old.accessToken, young.accessToken] { try await expect(harness, false, .bearing(token)) }
        }
    }

    // T-106
    @Test func `attack: a face enrolled after a password sign-in can't replace a proved address while it cools off`()
        async throws
    {
        try await Harness.run { harness in
            try await harness.unenrol("ada@example.com")
            let password = try await harness.phone()
            try await enrol(harness, .bearing(password.tokens.accessToken))
            _ = try await harness.mails()
            try await expect(harness, false, try await harness.signIn().bearer)
            await harness.pass(CoolingOff.period + .seconds(1))
            try await expect(harness, true, try await harness.signIn().bearer)
        }
    }

    // T-106
    @Test func `attack: a face enrolled today is still cooling off after sixty later operations`() async throws {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            try await harness.unenrol("ada@example.com")
            let password = try await harness.phone()
            try await enrol(harness, .bearing(password.tokens.accessToken))
            _ = try await harness.mails()
            for _ in 0..<60 {
                let login = try await harness.start()
                try await harness.open(login)
                try await harness.judge(.rejected(.livenessFailed))
            }
            let account = try await harness.composition.accounts.show("ada@example.com").account.id
            let enrolledAt = try await harness.composition.service.enrolledAt(account)
            #expect(enrolledAt != nil, "it is found among enrolments, however many logins came after it")
            try await expect(harness, false, try await harness.signIn().bearer)
        }
    }

    @Test func `a face that came with the account can replace a proved address at once`() async throws {
        try await Harness.run { harness in
            try await expect(harness, true, try await harness.signIn().bearer)
        }
    }

    /// Whether the session may ask for another address and, where a face is enrolled, for another face.
    private func expect(_ harness: Harness, _ isEnough: Bool, _ headers: HTTPFields) async throws {
        for path in ["/auth/email", "/api/auth/email"] {
            let response = try await harness.post(path, Self.new, headers)
            guard !isEnough else {
                #expect(response.status == .ok, "\(response.text)")
                continue
            }
            try harness.expect(response, is: "step_up_required", 403)
            #expect(response.headers[.wwwAuthenticate] == nil)
            #expect(try await harness.mails().isEmpty)
        }
        let face = try await harness.send(.post, Harness.enrolPath, headers)
        guard !isEnough else {
            #expect(face.status == .ok, "\(face.text)")
            return
        }
        try harness.expect(face, is: "step_up_required", 403)
    }

    private func enrol(_ harness: Harness, _ headers: HTTPFields) async throws {
        let started = try harness.enrolment(try await harness.send(.post, Harness.enrolPath, headers))
        try await harness.openEnrolment(started)
        try await harness.judge(.approved)
        #expect(try await harness.isEnrolled("ada@example.com"))
    }
}
