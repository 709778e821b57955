import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Sessions
import Settings
import Synchronization
import Testing

@testable import Assembly
@testable import HTTPAPI

/// From a backchannel request to its tokens, for clients that poll (CIBA Core §7, §10.1, §11).
struct CIBAPollTests {
    @Test(.alsoSpread) func `a request is acknowledged, waits, and gets its tokens when the person has approved`()
        async throws
    {
        try await BackchannelFixture.run { fixture in
            let answer = try await fixture.ask()
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(answer.headers[.cacheControl] == "no-store")
            let begun = try answer.decode(BegunOfTest.self)
            #expect(begun.expiresIn == 180 && begun.interval == 2)
            #expect(begun.authReqID.utf8.count == 43)
            #expect(begun.authorizationLink.hasPrefix(fixture.harness.settings.publicURL + "/go/"))
            let waiting = try await fixture.poll(begun)
            #expect(waiting.status == .badRequest)
            #expect(waiting.headers[.cacheControl] == "no-store")
            #expect(try waiting.json()["error"] as? String == "authorization_pending")
            try await fixture.approve(begun)
            let tokens = try await fixture.poll(begun).decode(TokensOfTest.self)
            #expect(tokens.tokenType == "Bearer" && tokens.scope == "offline_access openid")
            let claims = try TokenFixture.claims(tokens.idToken)
            let account = try await fixture.harness.composition.accounts.show("ada@example.com").account.id
            #expect(claims["sub"] as? String == account.description && claims["aud"] as? String == "bank")
            #expect(claims["amr"] as? [String] == ["face"] && claims["acr"] as? String == "face")
            #expect(claims["urn:openid:params:jwt:claim:auth_req_id"] == nil, "only of a push")
        }
    }

    // O-099
    @Test func `an answer that was lost is given again, until the refresh token is used`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            try await fixture.approve(begun)
            let first = try await fixture.poll(begun).decode(TokensOfTest.self)
            let again = try await fixture.poll(begun).decode(TokensOfTest.self)
            #expect(again.refreshToken == first.refreshToken)
            let claims = (try TokenFixture.claims(first.accessToken), try TokenFixture.claims(again.accessToken))
            #expect(claims.0["jti"] as? String == claims.1["jti"] as? String)
            #expect(claims.0["sid"] as? String == claims.1["sid"] as? String)
            let fields = ["grant_type": "refresh_token", "refresh_token": try #require(first.refreshToken)]
            #expect(try await fixture.form("/oauth/token", fields, as: "bank").status == .ok)
            #expect(try await fixture.word(begun) == "invalid_grant")
        }
    }

    @Test func `an answer is given again for two minutes, and then no more`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            try await fixture.approve(begun)
            #expect(try await fixture.word(begun) == "granted")
            await fixture.harness.pass(.seconds(119))
            #expect(try await fixture.word(begun) == "granted")
            await fixture.harness.pass(.seconds(2))
            #expect(try await fixture.word(begun) == "invalid_grant")
        }
    }

    // O-098
    @Test func `of eight polls at once of each of a hundred approved requests one opens a session`() async throws {
        try await BackchannelFixture.run {
            $0.limits.off = true
        } _: { fixture in
            var sessions: Set<String> = []
            for _ in 0..<100 {
                let begun = try await fixture.begin()
                try await fixture.approve(begun)
                let found = try await withThrowingTaskGroup { group in
                    for _ in 0..<8 {
                        group.addTask {
                            let tokens = try await fixture.poll(begun).decode(TokensOfTest.self)
                            return try TokenFixture.claims(tokens.accessToken)["sid"] as? String ?? "-"
                        }
                    }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
                #expect(found.count == 1)
                sessions.formUnion(found)
            }
            #expect(sessions.count == 100)
            let account = try await fixture.harness.composition.accounts.show("ada@example.com").account.id
            let open = try await fixture.harness.composition.sessions.list(of: account, limit: 1000)
            #expect(open.filter { $0.session.client == "bank" }.count == 100)
        }
    }

    @Test(.alsoSpread) func `a poll that waits is answered when the person has decided`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            async let answer = fixture.poll(begun, as: "bank", [.named("Prefer"): "respond-async, wait=30"])
            try await Self.parked(fixture, 1)
            try await fixture.open(begun)
            try await Self.parked(fixture, 1)
            try await fixture.harness.judge(.approved)
            #expect(try await answer.status == .ok)
        }
    }

    @Test func `a poll that waits in vain is told to go on waiting, at the latest after half a minute`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            async let answer = fixture.poll(begun, as: "bank", [.named("Prefer"): "wait=3600"])
            try await Self.parked(fixture, 1)
            await fixture.harness.pass(.seconds(31))
            #expect(try await answer.json()["error"] as? String == "authorization_pending")
        }
    }

    private static func parked(_ fixture: BackchannelFixture, _ count: Int) async throws {
        for _ in 0..<3000 where fixture.harness.parkedCount != count { try await Task.sleep(for: .milliseconds(10)) }
        try #require(fixture.harness.parkedCount == count)
    }

    @Test func `the preferences of a poll are read as RFC 7240 has them`() {
        #expect(CIBAGrant.wait("wait=10") == 10 && CIBAGrant.wait("wait=31") == 30 && CIBAGrant.wait(nil) == nil)
        #expect(CIBAGrant.wait("handling=lenient, Wait=7 ") == 7)
        for text in ["wait=0", "wait=-5", "wait", "wait=x", "waiting=5", ""] {
            #expect(CIBAGrant.wait(text) == nil, "\(text)")
        }
    }

    @Test func `while nothing is decided a poll asks neither the store nor the provider`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            try await fixture.open(begun)
            let calls = fixture.harness.provider.calls.count
            for _ in 0..<20 {
                fixture.harness.time.advance(by: .seconds(2))
                #expect(try await fixture.word(begun) == "authorization_pending")
            }
            #expect(fixture.harness.provider.calls.count == calls)
        }
    }

    // O-100
    @Test(.ofOneDaemon(.countedByEach))
    func `a client that polls too fast is told to slow down, and is never kept from its tokens`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            #expect(try await fixture.word(begun) == "authorization_pending")
            let hasty = try await fixture.poll(begun)
            #expect(try hasty.json()["error"] as? String == "slow_down")
            #expect(hasty.headers[.retryAfter] == "7")
            fixture.harness.time.advance(by: .seconds(7))
            #expect(try await fixture.word(begun) == "authorization_pending")
            try await fixture.approve(begun)
            #expect(try await fixture.word(begun) == "granted")
            #expect(try await fixture.word(begun) == "granted", "at once")
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `requests outlast a restart`(_ storage: HarnessStorage) async throws {
        let folder = try TestFolder()
        let kept = Mutex<BegunOfTest?>(nil)
        try await BackchannelFixture.run(storage: storage, folder: folder) { fixture in
            let begun = try await fixture.begin()
            kept.withLock { $0 = begun }
        }
        try await BackchannelFixture.run(storage: storage, folder: folder) { fixture in
            let restored = kept.withLock(\.self)
            let begun = try #require(restored)
            #expect(try await fixture.word(begun) == "authorization_pending")
            try await fixture.approve(begun)
            #expect(try await fixture.word(begun) == "granted")
        }
    }
}
