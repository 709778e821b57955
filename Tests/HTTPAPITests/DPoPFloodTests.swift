import Crypto
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Sessions
import Settings
import Testing
import TokenForgeries
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Who is signed in nowhere leaves nothing in the memory of used proofs; and a proof is good for one grant.
struct DPoPFloodTests {
    private static let password = "/api/mobile/auth/login/password"
    private let maker = DPoPMaker()

    // T-246
    @Test func `attack: valid DPoP proofs without valid credentials take no room in the replay cache`() async throws {
        try await run { harness in
            try await harness.register("eve@example.com")
            let tokens = try await harness.signIn(by: maker)
            let before = Self.counts(harness)
            let login = try await harness.start()
            let verify = Harness.biometric + "/verify"
            let signature = try P256.Signing.PrivateKey().signed("AAAA")
            let unknown = "8b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a19"
            for _ in 0..<50 {
                let logout = harness.proving(.post, "/auth/logout", DPoPMaker())
                #expect(try await harness.send(.post, "/auth/logout", logout).status == .ok)
                let stale = harness.proving(.post, "/auth/logout", DPoPMaker(), .bearing("no.such.token"))
                #expect(try await harness.send(.post, "/auth/logout", stale).status == .ok)
                _ = try await harness.verify("AAAA", signature, unknown, harness.proving(.post, verify, DPoPMaker()))
                _ = try await harness.poll(login, harness.proving(.get, login.pollPath, DPoPMaker()))
                let guess = harness.proving(.post, Self.password, DPoPMaker())
                _ = try await harness.passwordSignIn("eve@example.com", "a guess", path: Self.password, with: guess)
                let refresh = harness.proving(.post, "/auth/refresh", DPoPMaker(), .bearing("no.such.token"))
                _ = try await harness.send(.post, "/auth/refresh", refresh)
                // A good token, and a proof of another key: nothing is granted.
                _ = try await harness.refresh(tokens.refreshToken, by: DPoPMaker())
            }
            #expect(Self.counts(harness) == before)
        }
    }

    // T-246
    @Test(.ofOneDaemon("It fills the memory of one daemon."))
    func `attack: a full replay cache for sign-ins answers 429, while refreshes with DPoP go on`()
        async throws
    {
        // Without tokens there is room for 256.
        try await run(proofCapacity: 64 * 16) { harness in
            let tokens = try await harness.signIn(by: maker)
            for number in 0..<3000 { _ = harness.api.usedProofs.withoutTokens.note(Digest256(sha256: "\(number)")) }
            let login = try await harness.approvedLogin()
            let full = try await harness.poll(login, harness.proving(.get, login.pollPath, maker, login.bound))
            try harness.expect(full, is: "rate_limited", 429)
            #expect(harness.composition.service.limiterRefusals["dpop_proofs"] == 1)
            #expect(try await harness.refresh(tokens.refreshToken, by: maker).status == .ok)
            #expect(try await harness.ask("/auth/me", tokens.accessToken, maker).status == .ok)
            let bare = try await harness.poll(login, login.bound)
            #expect(try bare.decode(PollLoginResponse.self).tokens?.tokenType == "Bearer", "nothing was used up")
        }
    }

    // T-246
    @Test(.alsoSpread) func `attack: of four concurrent sign-ins with one DPoP proof one succeeds`() async throws {
        try await run { harness in
            try await harness.register("eve@example.com")
            let made = harness.proving(.post, Self.password, maker)
            let answers = try await Self.together(4) {
                try await harness.passwordSignIn("eve@example.com", path: Self.password, with: made)
            }
            #expect(answers.filter { $0.status == .ok }.count == 1, "\(answers.map(\.status.code))")
            for answer in answers where answer.status != .ok {
                try harness.expect(answer, is: "invalid_dpop_proof", 400)
            }
            #expect(harness.refusals(.proofRefused) == 3)
            #expect(harness.api.usedProofs.withoutTokens.count <= 1)
        }
    }

    // T-246
    @Test func `attack: of four concurrent refreshes with one DPoP proof one succeeds, and a replay ends nothing`()
        async throws
    {
        try await run { harness in
            let tokens = try await harness.signIn(by: maker)
            let made = harness.proving(.post, "/auth/refresh", maker, .bearing(tokens.refreshToken))
            let answers = try await Self.together(4) { try await harness.send(.post, "/auth/refresh", made) }
            let fresh = try #require(answers.first { $0.status == .ok }).decode(RefreshResponse.self)
            #expect(answers.filter { $0.status == .ok }.count == 1, "\(answers.map(\.status.code))")
            let next = try await harness.refresh(try #require(fresh.refreshToken), by: maker)
            #expect(next.status == .ok, "the successor is in use")
            harness.time.advance(by: .seconds(60))
            // The token was replaced a minute ago: with a proof of its own it would end the session.
            let replayed = try await harness.send(.post, "/auth/refresh", made)
            try harness.expect(replayed, is: "invalid_dpop_proof", 400)
            let logout = try await harness.send(.post, "/auth/refresh", made)
            try harness.expect(logout, is: "invalid_dpop_proof", 400)
            #expect(try await harness.ask("/auth/me", tokens.accessToken, maker).status == .ok)
        }
    }

    @Test func `attack: a DPoP proof that was used for a logout does not end a second session`() async throws {
        try await run { harness in
            let (first, second) = (try await harness.signIn(by: maker), try await harness.signIn(by: maker))
            let proof = harness.proving(.post, "/auth/logout", maker)
            func signOut(_ token: String) async throws {
                let headers = proof.adding(.authorization, "Bearer \(token)")
                #expect(try await harness.send(.post, "/auth/logout", headers).status == .ok)
            }
            try await signOut(first.refreshToken)
            try await signOut(second.refreshToken)
            try harness.expect(try await harness.ask("/auth/me", first.accessToken, maker), is: "unauthorized", 401)
            #expect(try await harness.ask("/auth/me", second.accessToken, maker).status == .ok)
        }
    }

    private static func counts(_ harness: Harness) -> [Int] {
        [harness.api.usedProofs.withTokens.count, harness.api.usedProofs.withoutTokens.count]
    }

    private static func together(
        _ count: Int,
        _ request: @escaping @Sendable () async throws -> TestResponse
    ) async throws -> [TestResponse] {
        try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for _ in 0..<count { group.addTask { try await request() } }
            var answers: [TestResponse] = []
            for try await answer in group { answers.append(answer) }
            return answers
        }
    }

    /// With refresh tokens that are replaced.
    private func run(
        proofCapacity: Int = UsedProofs.capacity,
        _ body: @Sendable (Harness) async throws -> Void
    ) async throws {
        try await Harness.run(proofCapacity: proofCapacity) {
            for index in $0.clients.indices { $0.clients[index].refresh.rotation = .always }
        } _: {
            try await body($0)
        }
    }
}
