import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Sessions
import Storage
import Testing
import TokenReading
import Tokens
import Wire

@testable import Vestibule

/// What must not come of an approval.
struct ApprovalAttackTests {
    @Test func `attack: its token opens nothing, and no other token is an approval`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let started = try await bench.askApproval(ada)
            try await bench.grantApproval(started)
            let answer = try await bench.poll(started, ada).decode(PollLoginResponse.self)
            let token = try #require(answer.approval?.token)
            let bearer: HTTPFields = [.authorization: "Bearer \(token)"]
            for path in ["/auth/operations", "/biometric/enrollment/status", started.path("poll")] {
                try bench.expect(try await bench.send(.get, path, bearer), is: "unauthorized", 401)
            }
            for path in [Bench.approvalPath, Bench.enrolPath] {
                try bench.expect(try await bench.post(path, Bench.payment, bearer), is: "unauthorized", 401)
            }
            let now = bench.composition.environment.now()
            for other in [ada.tokens.accessToken, ada.tokens.refreshToken] {
                #expect(throws: TokenError.wrongType) {
                    try bench.verifier.verifyApproval(other, audiences: bench.audiences, now: now)
                }
            }
            #expect(throws: TokenError.wrongType) { try bench.verifier.verifyRefresh(token, now: now) }
        }
    }

    @Test func `attack: another session sees, collects, ends and hears nothing of it`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let strangers = [try await bench.signIn("bob@example.com"), try await bench.signIn()]
            let started = try await bench.askApproval(ada)
            try await bench.grantApproval(started)
            for stranger in strangers {
                for verb in ["poll", "events"] {
                    let response = try await bench.send(.get, started.path(verb), stranger.bearer)
                    try bench.expect(response, is: "operation_not_found", 404)
                }
                for verb in ["ack", "cancel"] {
                    let response = try await bench.send(.post, started.path(verb), stranger.bearer)
                    try bench.expect(response, is: "operation_not_found", 404)
                }
            }
            for headers in [HTTPFields(), .cookies(started.cookie), [.authorization: "Bearer x.y.z"]] {
                try bench.expect(try await bench.send(.get, started.path("poll"), headers), is: "unauthorized", 401)
                try bench.expect(try await bench.send(.post, started.path("cancel"), headers), is: "unauthorized", 401)
                try bench.expect(
                    try await bench.post(Bench.approvalPath, Bench.payment, headers),
                    is: "unauthorized",
                    401
                )
            }
            // The login's routes know it as little, with or without the cookie of its start.
            for headers in [HTTPFields(), .cookies(started.cookie), ada.bearer] {
                let poll = try await bench.send(.get, "/auth/biometric-login/poll/\(started.id)", headers)
                let view = try poll.decode(PollLoginResponse.self)
                #expect(view.hint == "created" && view.tokens == nil && view.approval == nil)
            }
            let cancel = "/auth/biometric-login/cancel/\(started.id)"
            try bench.expect(try await bench.send(.post, cancel, .cookies(started.cookie)), is: "unauthorized", 401)
            #expect(try await bench.word(started, ada) == "completed", "it is hers all the same")
        }
    }

    @Test func `attack: ids of other kinds are none of an approval's`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let enrolment = try await bench.startEnrolment(ada)
            let login = try await bench.start()
            let approval = try await bench.askApproval(ada)
            for id in [enrolment.id, login.id, ada.login.id, "x", "00000000-0000-4000-8000-000000000000"] {
                let poll = try await bench.send(.get, "/auth/approvals/poll/\(id)", ada.bearer)
                try bench.expect(poll, is: "operation_not_found", 404)
                let cancel = try await bench.send(.post, "/auth/approvals/cancel/\(id)", ada.bearer)
                try bench.expect(cancel, is: "operation_not_found", 404)
            }
            let asEnrolment = try await bench.send(
                .get,
                "/auth/biometric-enrollment/poll/\(approval.id)",
                ada.bearer
            )
            try bench.expect(asEnrolment, is: "operation_not_found", 404)
        }
    }

    @Test func `attack: a forwarded link approves nothing for who has not the number, and three guesses end it`()
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let started = try await bench.askApproval(ada)
            let begun = bench.provider.beginCount
            let right = try #require(started.answer.number.flatMap { Int($0) })
            let wrong = PairingNumber((right + 1) % 100)?.text
            // The cookie of another start is no proof here.
            let foreign = try await bench.start()
            #expect(try await bench.confirm(started, nil, .cookies(foreign.cookie)).status == .badRequest)
            #expect(try await bench.confirm(started, wrong).status == .badRequest)
            #expect(try await bench.confirm(started, wrong).status == .badRequest)
            #expect(try await bench.confirm(started, wrong).status == .forbidden)
            #expect(try await bench.word(started, ada) == "too_many_attempts")
            #expect(try await bench.confirm(started, started.answer.number).status == .gone)
            #expect(bench.provider.beginCount == begun)
        }
    }

    @Test func `attack: a token is replayed after the acknowledgement by nobody`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let started = try await bench.askApproval(ada)
            try await bench.grantApproval(started)
            #expect(try await bench.word(started, ada) == "completed")
            #expect(try await bench.send(.post, started.path("ack"), ada.bearer).status == .ok)
            #expect(try await bench.word(started, ada) == "delivered")
            let late = try await bench.send(.post, started.path("cancel"), ada.bearer)
            #expect(try late.decode(OperationReceipt.self).status == .completed, "nothing is undone")
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"message":null}"#, #"{"message":["Pay"]}"#, #"{"message":"Pay","amount":"1.00"}"#,
        #"{"message":"Pay","amount":{"value":1.5,"currency":"EUR"}}"#, #"{"message":"Pay","clientId":"other"}"#,
    ])
    func `attack: a body of another shape is refused`(_ body: String) async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            try bench.expect(try await bench.post(Bench.approvalPath, body, ada.bearer), is: "invalid_request", 400)
        }
    }

    @Test(arguments: [
        (#""message":"Pay \u202e00.05""#, "invalid_message"), (#""message":"Pay\nShop""#, "invalid_message"),
        (#""message":"Pay\u0000""#, "invalid_message"), (#""message":"""#, "invalid_message"),
        (#""message":"Pay","payee":"Shop\u200b""#, "invalid_payee"),
        (#""message":"Pay","amount":{"value":"1,00","currency":"EUR"}"#, "invalid_amount"),
        (#""message":"Pay","amount":{"value":"-1","currency":"EUR"}"#, "invalid_amount"),
        (#""message":"Pay","amount":{"value":"1","currency":"eur"}"#, "invalid_amount"),
        (#""message":"Pay","payloadHash":"x""#, "invalid_payload_hash"),
        (#""message":"Pay","payloadHash":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=""#, "invalid_payload_hash"),
    ])
    func `attack: what could look like something else is refused, with its own code`(
        _ members: String,
        _ code: String
    ) async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let count = bench.composition.service.cache.count
            try bench.expect(try await bench.post(Bench.approvalPath, "{\(members)}", ada.bearer), is: code, 400)
            #expect(bench.composition.service.cache.count == count)
        }
    }

    @Test func `attack: an oversize message is refused, and what is shown is escaped`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let long = #"{"message":"\#(String(repeating: "x", count: 201))"}"#
            try bench.expect(try await bench.post(Bench.approvalPath, long, ada.bearer), is: "invalid_message", 400)
            let huge = #"{"message":"\#(String(repeating: "x", count: 70_000))"}"#
            let refused = try await bench.post(Bench.approvalPath, huge, ada.bearer)
            try bench.expect(refused, is: "payload_too_large", 413)
            let body = ##"{"message":"<script>alert(1)</script>","payee":"\"><b>{{{style}}}"}"##
            let started = try await bench.askApproval(ada, body)
            let page = try await bench.send(.get, started.landingPath).text
            #expect(!page.contains("<script") && !page.contains("<b>"))
            #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("{{{style}}}"))
        }
    }

    @Test func `attack: a verdict for another account, an abandoned scan or a late one approves nothing`() async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let bob = try await bench.signIn("bob@example.com")
            let hers = try await bench.askApproval(ada)
            #expect(try await bench.confirm(hers, hers.answer.number).status == .seeOther)
            let scan = try #require(bench.provider.newest)
            let his = try await bench.askApproval(bob)
            #expect(try await bench.confirm(his, his.answer.number).status == .seeOther)
            try await bench.judge(.approved)
            #expect(try await bench.word(hers, ada) == "user_in_provider")
            #expect(try await bench.word(his, bob) == "completed")
            let other = try #require(bench.provider.newest)
            let operation = try bench.operation(hers)
            try await bench.composition.service.observe(.approved, of: other, for: operation)
            #expect(try await bench.word(hers, ada) == "user_in_provider")
            await bench.pass(.seconds(200))
            try await bench.composition.service.observe(.approved, of: scan, for: operation)
            #expect(try await bench.word(hers, ada) == "expired")
        }
    }

    @Test(arguments: ["session", "account"], ["created", "pending", "approved", "redeemed"])
    func `attack: a revocation beats an approval wherever it stands`(_ revoked: String, _ state: String) async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let started = try await bench.askApproval(ada)
            if state != "created" {
                #expect(try await bench.confirm(started, started.answer.number).status == .seeOther)
            }
            if state == "approved" || state == "redeemed" { try await bench.judge(.approved) }
            if state == "redeemed" { #expect(try await bench.word(started, ada) == "completed") }
            #expect(try bench.operation(started).state.name.rawValue == state)
            if revoked == "session" {
                _ = try await bench.revokeAll(of: try #require(try bench.operation(started).account))
            } else {
                _ = try await bench.composition.accounts.disable("ada@example.com")
            }
            let begun = bench.provider.beginCount
            if state == "created" {
                #expect(try await bench.confirm(started, started.answer.number).status == .gone)
                #expect(bench.provider.beginCount == begun, "and is not scanned")
            }
            if state == "pending" { try await bench.judge(.approved) }
            try bench.expect(try await bench.poll(started, ada), is: "unauthorized", 401)
            let end = try bench.operation(started).state.name
            #expect(end != .redeemed || state == "redeemed", "nothing is handed out any more")
            try bench.expect(
                try await bench.post(Bench.approvalPath, Bench.payment, ada.bearer),
                is: "unauthorized",
                401
            )
        }
    }

    @Test func `"this wasn't me" on the page ends it, and afterwards revokes the session that asked`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let thief = try await bench.signIn()
            let started = try await bench.askApproval(thief)
            let denial = try await bench.send(
                .post,
                started.landingPath + "/not-me",
                [.fetchSite: "same-origin"]
            )
            #expect(denial.status == .ok && denial.text.contains("Nothing was approved or changed."))
            #expect(try await bench.word(started, thief) == "denied_not_me")
            let second = try await bench.askApproval(thief)
            try await bench.grantApproval(second)
            #expect(try await bench.word(second, thief) == "completed")
            #expect(try await bench.disown(try bench.operation(second).id.description, ada).status == .ok)
            try bench.expect(try await bench.poll(second, thief), is: "unauthorized", 401)
            try bench.expect(try await bench.send(.get, "/auth/operations", thief.bearer), is: "unauthorized", 401)
            #expect(try bench.operation(second).state.name == .closed)
        }
    }

    @Test func `a newer one of the same session takes its place, and another session's goes on`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let phone = try await bench.signIn()
            let first = try await bench.askApproval(ada)
            let beside = try await bench.askApproval(phone)
            let second = try await bench.askApproval(ada)
            #expect(try await bench.word(first, ada) == "superseded")
            #expect(try await bench.word(second, ada) == "created")
            #expect(try await bench.word(beside, phone) == "created")
        }
    }

    @Test func `attack: a session can't ask without end, and uses up nobody else's budget`() async throws {
        try await Bench.run { bench in
            let thief = try await bench.signIn()
            let ada = try await bench.signIn()
            for _ in 0..<15 { _ = try await bench.askApproval(thief) }
            let refused = try await bench.post(Bench.approvalPath, Bench.payment, thief.bearer)
            try bench.expect(refused, is: "rate_limited", 429)
            #expect(try await bench.post(Bench.enrolPath, "", thief.bearer).status == .tooManyRequests)
            _ = try await bench.askApproval(ada)
        }
    }

    @Test func `an account without a face is told to enrol one first`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            try await bench.unenrol("ada@example.com")
            let response = try await bench.post(Bench.approvalPath, Bench.payment, ada.bearer)
            try bench.expect(response, is: "not_enrolled", 409)
        }
    }
}
