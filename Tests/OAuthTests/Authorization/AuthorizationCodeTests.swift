import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import OAuth

/// Codes in the hands of whom they were not sent to.
struct AuthorizationCodeTests {
    private typealias Fixture = AuthorizationFixture
    private let fixture = AuthorizationFixture()

    @Test(arguments: AuthorizationStoreContract.allCases)
    func `authorizations in memory keep the contract`(_ promise: AuthorizationStoreContract) async throws {
        let storage = MemoryDisk().open()
        let stores = AuthorizationStores(
            unitOfWork: storage.unitOfWork,
            interactions: storage.interactions,
            codes: storage.authorizationCodes,
            pushed: storage.pushedRequests,
            consents: storage.consents,
            purging: (
                MemoryExpiringRows.interactions.purge, MemoryExpiringRows.authorizationCodes.purge,
                MemoryExpiringRows.pushedRequests.purge, MemoryExpiringRows.consents.purge
            )
        )
        try await promise.check(stores, account: Fixture.ada)
    }

    @Test func `a code is redeemed for what was granted`() async throws {
        let request = try fixture.read(["nonce": "n"])
        let code = try await fixture.code(for: request)
        #expect(code.utf8.count == 43)
        let redeemed = try await fixture.redeem(code)
        #expect(redeemed.grant == fixture.grant(request))
        #expect(fixture.disk.tables.authorizationCodes.keys.contains(redeemed.code))
    }

    // O-045
    @Test func `a replayed code is refused with the session that it opened`() async throws {
        let session = SessionID(UUIDBits(high: 8, low: 8))
        let code = try await fixture.code(for: try fixture.read())
        _ = try await fixture.redeem(code, opening: session)
        await #expect(throws: CodeReplayedError(session: session)) { try await fixture.redeem(code) }
        fixture.time.advance(by: .seconds(3600))
        await #expect(throws: CodeReplayedError(session: session), "also long after") { try await fixture.redeem(code) }
    }

    // O-044, O-045
    @Test(.timeLimit(.minutes(10)))
    func `a hundred codes tried eight times each at once are redeemed once each`() async throws {
        let request = try fixture.read()
        var codes: [String] = []
        for _ in 0..<100 { codes.append(try await fixture.code(for: request)) }
        let outcomes = await withTaskGroup(of: Bool?.self) { group in
            for code in codes {
                for _ in 0..<8 {
                    group.addTask { [fixture] in
                        do { _ = try await fixture.redeem(code) } catch is CodeReplayedError { return false } catch {
                            return nil
                        }
                        return true
                    }
                }
            }
            return await group.reduce(into: [Bool?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == true } == 100)
        #expect(outcomes.count { $0 == false } == 700, "each of them tells of a replay")
    }

    // O-048
    @Test func `a code is refused after sixty seconds`() async throws {
        let (early, late) = (
            try await fixture.code(for: try fixture.read()), try await fixture.code(for: try fixture.read())
        )
        fixture.time.advance(by: .milliseconds(59_999))
        _ = try await fixture.redeem(early)
        fixture.time.advance(by: .milliseconds(1))
        #expect(await refusal { try await fixture.redeem(late) } == .invalidGrant)
        #expect(await refusal { try await fixture.redeem("nobody's") } == .invalidGrant)
    }

    // O-048
    @Test func `a code redeemed by another client gets invalid_grant and stays good for its own`() async throws {
        let code = try await fixture.code(for: try fixture.read())
        #expect(await refusal { try await fixture.redeem(code, by: Fixture.client("other")) } == .invalidGrant)
        _ = try await fixture.redeem(code)
        let again = await refusal { try await fixture.redeem(code, by: Fixture.client("other")) }
        #expect(again == .invalidGrant, "nor can another revoke what it opened")
    }

    // MARK: PKCE

    // O-042
    @Test(
        arguments: [
            nil, "", "short", Fixture.verifier + "x", Fixture.verifier.lowercased(), Fixture.challenge(),
            String(repeating: "a", count: 129), "verifier-of-the-tests-0123456789-ABCDEFGHI\u{0}",
        ] as [String?]
    )
    func `a code with a challenge needs its verifier`(_ verifier: String?) async throws {
        let code = try await fixture.code(for: try fixture.read())
        #expect(await refusal { try await fixture.redeem(code, verifier: verifier) } == .invalidGrant)
        _ = try await fixture.redeem(code)
    }

    // O-043
    @Test func `a verifier for a code without a challenge gets invalid_grant`() async throws {
        let client = Fixture.client(codeChallenge: .optional)
        let fixture = AuthorizationFixture([client])
        let bare = try fixture.read(["code_challenge": nil, "code_challenge_method": nil])
        let code = try await fixture.code(for: bare)
        #expect(await refusal { try await fixture.redeem(code, by: client) } == .invalidGrant)
        _ = try await fixture.redeem(code, by: client, verifier: nil)
    }

    // O-009, O-038, O-039, O-046
    @Test func `a stolen code redeemed with another request's verifier gets invalid_grant`() async throws {
        let stolen = try await fixture.code(for: try fixture.read())
        let own = "another-verifier-of-the-tests-0123456789-ABCDEF"
        #expect(await refusal { try await fixture.redeem(stolen, verifier: own) } == .invalidGrant)
    }

    // MARK: Redirect URI

    // O-048
    @Test(arguments: [
        "https://app.example.com/callback/", "https://app.example.com/Callback", "https://evil.example/", "",
        "https://app.example.com/callback?x", "https://app.example.com:443/callback",
    ])
    func `a redirect URI that comes with the code is that of the request`(_ uri: String) async throws {
        let code = try await fixture.code(for: try fixture.read())
        #expect(await refusal { try await fixture.redeem(code, redirectURI: uri) } == .invalidGrant)
    }

    // O-048
    @Test func `a redirect URI is repeated where nothing else binds the code`() async throws {
        let client = Fixture.client(authentication: Fixture.secret)
        let fixture = AuthorizationFixture([client])
        let bare = try fixture.read(["code_challenge": nil, "code_challenge_method": nil, "nonce": "n"])
        let code = try await fixture.code(for: bare)
        let refused = await refusal { try await fixture.redeem(code, by: client, redirectURI: nil, verifier: nil) }
        #expect(refused == .invalidGrant)
        _ = try await fixture.redeem(code, by: client, verifier: nil)
        let bound = try await fixture.code(for: try fixture.read())
        _ = try await fixture.redeem(bound, by: client, redirectURI: nil)
    }

    @Test func `the published app repeats no redirect URI`() async throws {
        let client = Fixture.client(codeChallenge: .optional)
        let fixture = AuthorizationFixture([client])
        let code = try await fixture.code(for: try fixture.read(["code_challenge": nil, "code_challenge_method": nil]))
        _ = try await fixture.redeem(code, by: client, redirectURI: nil, verifier: nil)
    }

    // MARK: Key

    // O-049
    @Test func `a code that is bound to a key needs a proof of it`() async throws {
        let code = try await fixture.code(for: try fixture.read(["dpop_jkt": Fixture.challenge(of: "key")]))
        #expect(await refusal { try await fixture.redeem(code) } == .invalidGrant)
        let other = await refusal { try await fixture.redeem(code, proofKey: Digest256(sha256: "other")) }
        #expect(other == .invalidGrant)
        _ = try await fixture.redeem(code, proofKey: Digest256(sha256: "key"))
    }

    // O-019
    @Test func `no code stands in the store in the clear`() async throws {
        let code = try await fixture.code(for: try fixture.read())
        let rows = String(reflecting: fixture.disk.tables.authorizationCodes)
        #expect(!rows.contains(code))
    }

    private func refusal(_ body: () async throws -> RedeemedCode) async -> OAuthErrorCode? {
        do { _ = try await body() } catch let error as OAuthError { return error.code } catch { return nil }
        return nil
    }
}
