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

@testable import HTTPAPI
@testable import Vestibule

/// What replaces a proven address or an enrolled face: a mailed code, or a key or a face that is old enough.
struct CoolingOffTests {
    private static let new = #"{"email":"lovelace@example.com"}"#
    private let key = P256.Signing.PrivateKey()

    @Test(
        arguments: [
            (.mailedCode, true), (.password, false), (.newAccount, false), (.deviceKey(nil), false),
            (.passkey(PasskeyID(UUIDBits(high: 1, low: 2)), isSynced: false, isUserVerified: true), false),
        ] as [(AuthenticationProof, Bool)]
    )
    func `a mailed code is enough at once; a password, and what a session says of a key that is not there, never`(
        _ proof: AuthenticationProof,
        _ isEnough: Bool
    ) async throws {
        try await Bench.run { bench in
            let phone = try await bench.phone("ada@example.com", Bench.phone, proof: proof)
            _ = try await bench.mails()
            try await expect(bench, isEnough, .bearing(phone.tokens.accessToken))
        }
    }

    @Test func `attack: a password takes no proven address by way of a key that it sets up, nor an enrolled face`()
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            _ = try await bench.post("/auth/password", #"{"newPassword": "\#(Bench.password)"}"#, ada.bearer)
            _ = try await bench.mails()
            let thief = try await bench.phone("ada@example.com", Bench.otherPhone)
            #expect(try await bench.setUp(Bench.spki(key.publicKey), thief).status == .ok, "wallets need no more")
            #expect(try await bench.mails().map(\.to) == ["ada@example.com"], "the owner is told at once")
            let opened = try await bench.signIn(by: key, Bench.otherPhone)
            try await expect(bench, false, .bearing(opened.accessToken))
            let me = try await bench.me(opened.accessToken)
            #expect(me.email == "ada@example.com")
            // A refresh makes the key no older, and nor does a key in its place that the same phone agrees to.
            bench.time.advance(by: .seconds(590))
            try await expect(bench, false, .bearing(opened.accessToken))
        }
    }

    @Test func `a key counts for more than a password a day after its set-up, for the sign-ins from then on`()
        async throws
    {
        try await Bench.run { bench in
            let phone = try await bench.phone()
            let setUpAt = bench.composition.environment.now()
            #expect(try await bench.setUp(Bench.spki(key.publicKey), phone).status == .ok)
            _ = try await bench.mails()
            bench.time.advance(by: CoolingOff.period - .seconds(1))
            let early = try await bench.signIn(by: key)
            bench.time.advance(by: .seconds(1))
            #expect(bench.composition.environment.now() - setUpAt == CoolingOff.period)
            try await expect(bench, false, .bearing(early.accessToken))
            let late = try await bench.signIn(by: key)
            try await expect(bench, true, .bearing(late.accessToken))
        }
    }

    @Test func `attack: another key on the same phone is as young as it is, whatever was there before`() async throws {
        try await Bench.run { bench in
            let phone = try await bench.phone()
            #expect(try await bench.setUp(Bench.spki(key.publicKey), phone).status == .ok)
            bench.time.advance(by: CoolingOff.period + .seconds(1))
            let old = try await bench.signIn(by: key)
            let mailed = try await bench.signIn(
                "ada@example.com",
                on: Bench.phone,
                showing: phone.credential,
                proof: .mailedCode
            )
            let other = P256.Signing.PrivateKey()
            #expect(try await bench.setUp(Bench.spki(other.publicKey), mailed).status == .ok)
            _ = try await bench.mails()
            let young = try await bench.signIn(by: other)
            for token in [old.accessToken, young.accessToken] { try await expect(bench, false, .bearing(token)) }
        }
    }

    @Test func `attack: a password takes no proven address by way of a face that it enrols`() async throws {
        try await Bench.run { bench in
            try await bench.unenrol("ada@example.com")
            let password = try await bench.phone()
            try await enrol(bench, .bearing(password.tokens.accessToken))
            _ = try await bench.mails()
            try await expect(bench, false, try await bench.signIn().bearer)
            await bench.pass(CoolingOff.period + .seconds(1))
            try await expect(bench, true, try await bench.signIn().bearer)
        }
    }

    @Test func `attack: a face of today is not hidden behind sixty operations of the thief's`() async throws {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            try await bench.unenrol("ada@example.com")
            let password = try await bench.phone()
            try await enrol(bench, .bearing(password.tokens.accessToken))
            _ = try await bench.mails()
            for _ in 0..<60 {
                let login = try await bench.start()
                try await bench.open(login)
                try await bench.judge(.rejected(.livenessFailed))
            }
            let account = try await bench.composition.accounts.show("ada@example.com").account.id
            let enrolledAt = try await bench.composition.service.enrolledAt(account)
            #expect(enrolledAt != nil, "it is found among enrolments, however many logins came after it")
            try await expect(bench, false, try await bench.signIn().bearer)
        }
    }

    @Test func `a face that came with the account counts at once`() async throws {
        try await Bench.run { bench in
            try await expect(bench, true, try await bench.signIn().bearer)
        }
    }

    /// Whether the session may ask for another address and, where a face is enrolled, for another face.
    private func expect(_ bench: Bench, _ isEnough: Bool, _ headers: HTTPFields) async throws {
        for path in ["/auth/email", "/api/auth/email"] {
            let response = try await bench.post(path, Self.new, headers)
            guard !isEnough else {
                #expect(response.status == .ok, "\(response.text)")
                continue
            }
            try bench.expect(response, is: "step_up_required", 403)
            #expect(response.headers[.wwwAuthenticate] == nil)
            #expect(try await bench.mails().isEmpty)
        }
        let face = try await bench.send(.post, Bench.enrolPath, headers)
        guard !isEnough else {
            #expect(face.status == .ok, "\(face.text)")
            return
        }
        try bench.expect(face, is: "step_up_required", 403)
    }

    private func enrol(_ bench: Bench, _ headers: HTTPFields) async throws {
        let started = try bench.enrolment(try await bench.send(.post, Bench.enrolPath, headers))
        try await bench.openEnrolment(started)
        try await bench.judge(.approved)
        #expect(try await bench.isEnrolled("ada@example.com"))
    }
}
