import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Testing

@testable import Assembly
@testable import HTTPAPI

/// What clients are sent that do not poll (CIBA Core §10.2, §10.3).
struct CIBANoticeTests {
    /// Lets time pass until what is due has gone out.
    private static func deliver(_ fixture: BackchannelFixture) async {
        for _ in 0..<4 {
            _ = await fixture.worker.deliverDue()
            fixture.harness.time.advance(by: .milliseconds(500))
        }
    }

    private static func json(_ notice: BackchannelNotice) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(notice.body)) as? [String: Any])
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a ping comes when the person has approved, and the tokens are polled for`(
        _ storage: HarnessStorage
    ) async throws {
        try await BackchannelFixture.run(storage: storage) { fixture in
            let begun = try await fixture.begin("ada@example.com", as: "ring")
            await Self.deliver(fixture)
            #expect(fixture.endpoint.sent.isEmpty)
            try await fixture.approve(begun)
            await Self.deliver(fixture)
            let ping = try #require(fixture.endpoint.sent.first)
            #expect(fixture.endpoint.sent.count == 1 && ping.endpoint == "https://ring.example.com/cb")
            #expect(ping.token == Secret(BackchannelFixture.notificationToken))
            #expect(try Self.json(ping) as? [String: String] == ["auth_req_id": begun.authReqID])
            #expect(try await fixture.word(begun, as: "ring") == "granted")
        }
    }

    @Test func `a ping comes as well when the person has said no`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin("ada@example.com", as: "ring")
            try await fixture.open(begun)
            try await fixture.harness.judge(.rejected(.livenessFailed))
            await Self.deliver(fixture)
            #expect(fixture.endpoint.sent.count == 1)
            #expect(try await fixture.word(begun, as: "ring") == "access_denied")
        }
    }

    // O-103
    @Test func `a push carries the tokens, which the id token vouches for`() async throws {
        try await BackchannelFixture.run { fixture in
            let answer = try await fixture.ask(as: "mall")
            #expect(try answer.json()["interval"] == nil)
            let begun = try answer.decode(BegunOfTest.self)
            try await fixture.approve(begun)
            await Self.deliver(fixture)
            #expect(fixture.endpoint.sent.count == 1)
            let push = try Self.json(try #require(fixture.endpoint.sent.first))
            #expect(push["auth_req_id"] as? String == begun.authReqID)
            #expect(push["token_type"] as? String == "Bearer" && push["expires_in"] as? Int == 3600)
            let (access, refresh) = (push["access_token"] as? String ?? "", push["refresh_token"] as? String ?? "")
            let claims = try TokenFixture.claims(push["id_token"] as? String)
            #expect(claims["urn:openid:params:jwt:claim:auth_req_id"] as? String == begun.authReqID)
            #expect(claims["at_hash"] as? String == Self.half(access))
            #expect(claims["urn:openid:params:jwt:claim:rt_hash"] as? String == Self.half(refresh))
            let fields = ["grant_type": "refresh_token", "refresh_token": refresh]
            #expect(try await fixture.form("/oauth/token", fields, as: "mall").status == .ok)
        }
    }

    private static func half(_ token: String) -> String {
        Base64URL.encode(Digest256(sha256: token).bytes.prefix(16))
    }

    @Test func `a push that is sent again has the same tokens`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin("ada@example.com", as: "mall")
            fixture.endpoint.answer(.failed("HTTP 503"))
            try await fixture.approve(begun)
            await Self.deliver(fixture)
            fixture.endpoint.answer(.delivered)
            for _ in 0..<20 { await Self.deliver(fixture) }
            let pushes = try fixture.endpoint.sent.map(Self.json)
            #expect(pushes.count >= 2)
            #expect(Set(pushes.compactMap { $0["refresh_token"] as? String }).count == 1)
            let sessions = try pushes.map { try TokenFixture.claims($0["access_token"] as? String)["sid"] as? String }
            #expect(Set(sessions).count == 1)
        }
    }

    @Test func `a push says why there are no tokens`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin("ada@example.com", as: "mall")
            try await fixture.open(begun)
            try await fixture.harness.judge(.rejected(.notMatched))
            await Self.deliver(fixture)
            let push = try Self.json(try #require(fixture.endpoint.sent.first))
            #expect(push["error"] as? String == "access_denied" && push["auth_req_id"] as? String == begun.authReqID)
            #expect(push["access_token"] == nil)
        }
    }

    // O-101
    @Test func `attack: a push-mode client that polls gets unauthorized_client`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin("ada@example.com", as: "mall")
            #expect(try await fixture.word(begun, as: "mall") == "unauthorized_client")
            try await fixture.approve(begun)
            #expect(try await fixture.word(begun, as: "mall") == "unauthorized_client")
        }
    }

    // O-102
    @Test(arguments: ["ring", "mall"])
    func `a client that does not say what it knows notices by is refused`(client: String) async throws {
        try await BackchannelFixture.run { fixture in
            let fields = ["scope": "openid", "login_hint": "ada@example.com"]
            let answer = try await fixture.form("/oauth/bc-authorize", fields, as: client)
            #expect(try answer.json()["error"] as? String == "invalid_request")
        }
    }
}
