import Foundation
import Testing

@testable import VestibuleClient

/// The state that survives: the e-mail address, the device cookie, the tokens.
@Suite struct LoginMemoryTests {
    @Test func `without an e-mail, given or remembered, nothing is sent`() async throws {
        for email in [nil, "", "  "] {
            let harness = try Harness(poll: [.answer(200, Answers.completed)])
            #expect(await harness.failure(email: email) == .userNotFound)
            #expect(harness.transport.calls.isEmpty)
        }
    }

    @Test func `after signing out the next sign-in needs no typing`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.completed)])
        _ = try await harness.signIn(email: " ada@example.com ")
        try await harness.login.signOut()
        #expect(try await harness.login.tokens() == nil)
        #expect(try await harness.login.rememberedEmail() == "ada@example.com")
        _ = try await harness.signIn(email: nil)
        let bodies = harness.transport.calls(.initiate).compactMap {
            $0.request.body.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(bodies.count == 2)
        #expect(bodies.allSatisfy { $0.contains(#""email":"ada@example.com""#) })
    }

    @Test func `an e-mail is remembered only once the login succeeded`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.failed("not_matched"))])
        _ = await harness.failure()
        #expect(try await harness.login.rememberedEmail() == nil)
    }

    @Test func `the device cookie outlives the client and signing out, the others do not`() async throws {
        let store = MemoryTokenStore()
        let cookies = "vst_device=d1; Path=/; HttpOnly; Secure; Max-Age=7776000, vst_other=o1; Path=/; HttpOnly"
        let first = try Harness(poll: [.answer(200, Answers.completed, headers: ["Set-Cookie": cookies])], store: store)
        _ = try await first.signIn()
        #expect(first.transport.calls(.ack).first?.header("Cookie") == "vst_device=d1; vst_other=o1")
        try await first.login.signOut()

        let second = try Harness(poll: [.answer(200, Answers.completed)], store: store)
        _ = try await second.signIn(email: nil)
        #expect(second.transport.calls(.initiate).first?.header("Cookie") == "vst_device=d1")
    }

    @Test func `a binding cookie of initiate comes back with the polls`() async throws {
        let harness = try Harness(
            initiate: [.answer(200, Answers.initiate(), headers: ["Set-Cookie": "vst_op=x; Path=/; HttpOnly"])],
            poll: [.answer(200, Answers.completed)]
        )
        _ = try await harness.signIn()
        #expect(harness.transport.calls(.initiate).first?.header("Cookie") == nil)
        #expect(harness.transport.calls(.poll).first?.header("Cookie") == "vst_op=x")
    }

    @Test func `cookies go to their own host only`() async throws {
        let store = MemoryTokenStore()
        let cookie = ["Set-Cookie": "vst_device=d1; Path=/; Domain=example.com"]
        _ = try await Harness(poll: [.answer(200, Answers.completed, headers: cookie)], store: store).signIn()
        let elsewhere = try Harness(
            poll: [.answer(200, Answers.completed)],
            store: store,
            server: "https://other.example.com"
        )
        _ = try await elsewhere.signIn()
        #expect(elsewhere.transport.calls.allSatisfy { $0.header("Cookie") == nil })
    }

    @Test func `the tokens are stored before the server may forget them`() async throws {
        let store = MemoryTokenStore()
        let storedAtAck = Recorder<String?>()
        let harness = try Harness(
            poll: [.answer(200, Answers.completed)],
            store: store,
            onCall: { call in
                if call.route == .ack { storedAtAck.append(await store.load().tokens?.accessToken) }
            }
        )
        _ = try await harness.signIn()
        #expect(storedAtAck.all == ["access-1"])
    }

    @Test func `an acknowledgement that fails is repeated a little and no failure of the sign-in`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.completed)], ack: [.fault(.timedOut)])
        _ = try await harness.signIn()
        #expect(harness.transport.calls(.ack).count == 3)

        let refused = try Harness(poll: [.answer(200, Answers.completed)], ack: [.answer(404, Answers.problem("x"))])
        _ = try await refused.signIn()
        #expect(refused.transport.calls(.ack).count == 1)
    }

    @Test func `tokens that cannot be stored are not acknowledged`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.completed)], store: BrokenStore())
        #expect(await harness.failure() == .storeFailed("disk full"))
        #expect(harness.transport.calls(.ack).isEmpty)
    }

    @Test func `printing tokens shows no secret`() {
        let tokens = StoredTokens(
            accessToken: "s3cret-a",
            refreshToken: "s3cret-r",
            tokenType: "Bearer",
            expiresAt: VirtualTime.epoch
        )
        var dumped = ""
        dump(SignedIn(tokens: tokens, user: nil), to: &dumped)
        for text in ["\(tokens)", String(reflecting: tokens), String(reflecting: [tokens]), dumped] {
            #expect(!text.contains("s3cret"))
        }
    }
}

/// Reads well and never writes.
struct BrokenStore: TokenStore {
    struct DiskFull: LocalizedError { let errorDescription: String? = "disk full" }

    func load() async throws -> StoredCredentials { StoredCredentials() }
    func update(_ change: @escaping @Sendable (inout StoredCredentials) -> Void) async throws { throw DiskFull() }
}
