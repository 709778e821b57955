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

@testable import HTTPAPI
@testable import Vestibule

/// Who is signed in nowhere leaves nothing in the memory of used proofs; and a proof is good for one grant.
struct DPoPFloodTests {
    private static let password = "/api/mobile/auth/login/password"
    private let maker = DPoPMaker()

    @Test func `attack: good proofs with nothing good beside them take no room, and keep nobody out`() async throws {
        try await run { bench in
            try await bench.register("eve@example.com")
            let tokens = try await bench.signIn(by: maker)
            let before = Self.counts(bench)
            let login = try await bench.start()
            let verify = Bench.biometric + "/verify"
            let signature = try P256.Signing.PrivateKey().signed("AAAA")
            let unknown = "8b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a19"
            for _ in 0..<50 {
                let logout = bench.proving(.post, "/auth/logout", DPoPMaker())
                #expect(try await bench.send(.post, "/auth/logout", logout).status == .ok)
                let stale = bench.proving(.post, "/auth/logout", DPoPMaker(), .bearing("no.such.token"))
                #expect(try await bench.send(.post, "/auth/logout", stale).status == .ok)
                _ = try await bench.verify("AAAA", signature, unknown, bench.proving(.post, verify, DPoPMaker()))
                _ = try await bench.poll(login, bench.proving(.get, login.pollPath, DPoPMaker()))
                let guess = bench.proving(.post, Self.password, DPoPMaker())
                _ = try await bench.passwordSignIn("eve@example.com", "a guess", path: Self.password, with: guess)
                let refresh = bench.proving(.post, "/auth/refresh", DPoPMaker(), .bearing("no.such.token"))
                _ = try await bench.send(.post, "/auth/refresh", refresh)
                // A good token, and a proof of another key: nothing is granted.
                _ = try await bench.refresh(tokens.refreshToken, by: DPoPMaker())
            }
            #expect(Self.counts(bench) == before)
        }
    }

    @Test func `attack: sign-ins fill their room and no other, refreshes go on, and it is on record`() async throws {
        // Without tokens there is room for 256.
        try await run(proofCapacity: 64 * 16) { bench in
            let tokens = try await bench.signIn(by: maker)
            for number in 0..<3000 { _ = bench.api.usedProofs.withoutTokens.note(Digest256(sha256: "\(number)")) }
            let login = try await bench.approvedLogin()
            let full = try await bench.poll(login, bench.proving(.get, login.pollPath, maker, login.bound))
            try bench.expect(full, is: "rate_limited", 429)
            #expect(bench.composition.service.limiterRefusals["dpop_proofs"] == 1)
            #expect(try await bench.refresh(tokens.refreshToken, by: maker).status == .ok)
            #expect(try await bench.ask("/auth/me", tokens.accessToken, maker).status == .ok)
            let bare = try await bench.poll(login, login.bound)
            #expect(try bare.decode(PollLoginResponse.self).tokens?.tokenType == "Bearer", "nothing was used up")
        }
    }

    @Test func `attack: one proof signs in once, however many bring it at a time`() async throws {
        try await run { bench in
            try await bench.register("eve@example.com")
            let made = bench.proving(.post, Self.password, maker)
            let answers = try await Self.together(4) {
                try await bench.passwordSignIn("eve@example.com", path: Self.password, with: made)
            }
            #expect(answers.filter { $0.status == .ok }.count == 1, "\(answers.map(\.status.code))")
            for answer in answers where answer.status != .ok {
                try bench.expect(answer, is: "invalid_dpop_proof", 400)
            }
            #expect(bench.composition.service.refusals.eventTotals[.proofRefused] == 3)
            #expect(bench.api.usedProofs.withoutTokens.count == 1)
        }
    }

    @Test func `attack: one proof refreshes once, and its repetition ends nothing however late`() async throws {
        try await run { bench in
            let tokens = try await bench.signIn(by: maker)
            let made = bench.proving(.post, "/auth/refresh", maker, .bearing(tokens.refreshToken))
            let answers = try await Self.together(4) { try await bench.send(.post, "/auth/refresh", made) }
            let fresh = try #require(answers.first { $0.status == .ok }).decode(RefreshResponse.self)
            #expect(answers.filter { $0.status == .ok }.count == 1, "\(answers.map(\.status.code))")
            let next = try await bench.refresh(try #require(fresh.refreshToken), by: maker)
            #expect(next.status == .ok, "the successor is in use")
            bench.time.advance(by: .seconds(60))
            // The token was replaced a minute ago: with a proof of its own it would end the session.
            let replayed = try await bench.send(.post, "/auth/refresh", made)
            try bench.expect(replayed, is: "invalid_dpop_proof", 400)
            let logout = try await bench.send(.post, "/auth/refresh", made)
            try bench.expect(logout, is: "invalid_dpop_proof", 400)
            #expect(try await bench.ask("/auth/me", tokens.accessToken, maker).status == .ok)
        }
    }

    @Test func `attack: a proof that signed out once signs out no second session`() async throws {
        try await run { bench in
            let (first, second) = (try await bench.signIn(by: maker), try await bench.signIn(by: maker))
            let proof = bench.proving(.post, "/auth/logout", maker)
            func signOut(_ token: String) async throws {
                let headers = proof.adding(.authorization, "Bearer \(token)")
                #expect(try await bench.send(.post, "/auth/logout", headers).status == .ok)
            }
            try await signOut(first.refreshToken)
            try await signOut(second.refreshToken)
            try bench.expect(try await bench.ask("/auth/me", first.accessToken, maker), is: "unauthorized", 401)
            #expect(try await bench.ask("/auth/me", second.accessToken, maker).status == .ok)
        }
    }

    private static func counts(_ bench: Bench) -> [Int] {
        [bench.api.usedProofs.withTokens.count, bench.api.usedProofs.withoutTokens.count]
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
        _ body: @Sendable (Bench) async throws -> Void
    ) async throws {
        try await Bench.run(proofCapacity: proofCapacity) {
            for index in $0.clients.indices { $0.clients[index].refresh.rotation = .always }
        } _: {
            try await body($0)
        }
    }
}
