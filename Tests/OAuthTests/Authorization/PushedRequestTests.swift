import Kernel
import MemoryStore
import Testing

@testable import OAuth

/// Tests pushed requests, and the clients that may use them.
struct PushedRequestTests {
    private typealias Fixture = AuthorizationFixture
    private let fixture = AuthorizationFixture([Fixture.client(), Fixture.client("other")])
    private let client = AuthenticatedClient(client: Fixture.client(), method: .none)

    // O-026
    @Test func `a pushed request is its client's, once and for a while`() async throws {
        let uri = try await fixture.pushed.push(Fixture.parameters(), by: client)
        #expect(
            uri.hasPrefix("urn:ietf:params:oauth:request_uri:")
                && uri.utf8.count == PushedRequests.prefix.utf8.count + 43
        )
        #expect(try await fixture.pushed.take(uri, of: "other") == nil)
        #expect(try await fixture.pushed.take(uri + "x", of: "app") == nil)
        #expect(try await fixture.pushed.take(uri, of: "app") == Fixture.parameters())
        #expect(try await fixture.pushed.take(uri, of: "app") == nil)
        let late = try await fixture.pushed.push(Fixture.parameters(), by: client)
        fixture.time.advance(by: .seconds(90))
        #expect(try await fixture.pushed.take(late, of: "app") == nil)
    }

    @Test(
        arguments: [
            (["request_uri": "urn:ietf:params:oauth:request_uri:x"], .invalidRequest),
            (["client_id": "other"], .invalidRequest),
            (["redirect_uri": "https://evil.example/"], .invalidRedirectURI),
            (["code_challenge": nil], .invalidRequest),
            (["scope": "admin"], .invalidScope),
        ] as [([String: String?], OAuthErrorCode)]
    )
    func `an invalid pushed request is refused and not stored`(
        _ change: [String: String?],
        _ code: OAuthErrorCode
    ) async throws {
        do {
            _ = try await fixture.pushed.push(Fixture.parameters(change), by: client)
            Issue.record("it is kept")
        } catch let error as OAuthError { #expect(error.code == code) }
        #expect(fixture.disk.tables.pushedRequests.isEmpty)
    }

    @Test func `the client's credentials are not kept, and its id need not be said`() async throws {
        let change: [String: String?] = ["client_secret": "s3cret", "client_assertion": "a.b.c", "client_id": nil]
        _ = try await fixture.pushed.push(Fixture.parameters(change), by: client)
        #expect(fixture.disk.tables.pushedRequests.map(\.parameters) == [Fixture.parameters()])
    }

    // O-029
    @Test func `attack: a pushed request is stored without its unknown parameters`() async throws {
        let junk = String(repeating: "x", count: 15_000)
        let change: [String: String?] = ["junk": junk, "display": "page", "max_age": "5"]
        let uri = try await fixture.pushed.push(Fixture.parameters(change), by: client)
        #expect(fixture.disk.tables.pushedRequests.map(\.parameters) == [Fixture.parameters(["max_age": "5"])])
        let keyed = Fixture.parameters(change)
        let bound = try await fixture.pushed.push(keyed, by: client, proofKey: Digest256(sha256: "key"))
        #expect(try await fixture.pushed.take(bound, of: "app")?["junk"] == nil)
        #expect(try await fixture.pushed.take(uri, of: "app")?["max_age"] == "5")
    }

    // O-027
    /// RFC 9126 §2.3: bounded by client, or one would push out everybody's.
    @Test func `attack: a client over its limit of pushed requests is refused, and no stored request is dropped`()
        async throws
    {
        let first = try await fixture.pushed.push(Fixture.parameters(), by: client)
        for _ in 1..<AuthorizationPolicy.pushedOfClient {
            _ = try await fixture.pushed.push(Fixture.parameters(), by: client)
        }
        let parameters = Fixture.parameters()
        await #expect(throws: TooManyPushedRequestsError.self) { try await fixture.pushed.push(parameters, by: client) }
        let other = AuthenticatedClient(client: Fixture.client("other"), method: .none)
        _ = try await fixture.pushed.push(Fixture.parameters(["client_id": "other"]), by: other)
        #expect(try await fixture.pushed.take(first, of: "app") != nil, "none was dropped")
        _ = try await fixture.pushed.push(parameters, by: client)
        await #expect(throws: TooManyPushedRequestsError.self) { try await fixture.pushed.push(parameters, by: client) }
        fixture.time.advance(by: .seconds(90))
        _ = try await fixture.pushed.push(parameters, by: client)
    }

    @Test func `attack: requests that a client pushes at the same time don't exceed its limit`() async throws {
        for _ in 1..<AuthorizationPolicy.pushedOfClient - 5 {
            _ = try await fixture.pushed.push(Fixture.parameters(), by: client)
        }
        await withTaskGroup { group in
            for _ in 1...50 {
                group.addTask { [fixture, client] in
                    _ = try? await fixture.pushed.push(Fixture.parameters(), by: client)
                }
            }
        }
        let count = fixture.disk.tables.pushedRequests.count
        #expect(count <= AuthorizationPolicy.pushedOfClient)
        #expect(count > AuthorizationPolicy.pushedOfClient - 6)
    }

    @Test func `the key of a proof beside it is what the code is bound to`() async throws {
        let key = Digest256(sha256: "key")
        let uri = try await fixture.pushed.push(Fixture.parameters(), by: client, proofKey: key)
        let kept = try #require(try await fixture.pushed.take(uri, of: "app"))
        #expect(
            try fixture.reader.read(kept, by: .pushed, at: fixture.environment.now()).request.binding.proofKey == key
        )
        let other = Fixture.parameters(["dpop_jkt": Fixture.challenge(of: "other")])
        await #expect(throws: OAuthError.self) { try await fixture.pushed.push(other, by: client, proofKey: key) }
    }

    @Test func `a client that requires pushed requests is refused without one`() throws {
        let fixture = AuthorizationFixture([Fixture.client(requiresPushedRequests: true)])
        #expect(fixture.refusal([:]) == .told(.invalidRequest))
        #expect(fixture.refusal([:], by: .pushed) == nil)
    }
}
