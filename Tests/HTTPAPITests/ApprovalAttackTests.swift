import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Sessions
import Testing
import TokenReading
import Tokens
import Wire

@testable import Assembly

/// What must not come of an approval.
struct ApprovalAttackTests {
    // T-138
    @Test func `attack: an approval token opens no route, and no other token is accepted as an approval`() async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let started = try await harness.askApproval(ada)
            try await harness.grantApproval(started)
            let answer = try await harness.poll(started, ada).decode(PollLoginResponse.self)
            let token = try #require(answer.approval?.token)
            let bearer: HTTPFields = [.authorization: "Bearer \(token)"]
            for path in ["/auth/operations", "/biometric/enrollment/status", started.path("poll")] {
                try harness.expect(try await harness.send(.get, path, bearer), is: "unauthorized", 401)
            }
            for path in [Harness.approvalPath, Harness.enrolPath] {
                try harness.expect(try await harness.post(path, Harness.payment, bearer), is: "unauthorized", 401)
            }
            let now = harness.composition.environment.now()
            for other in [ada.tokens.accessToken, ada.tokens.refreshToken] {
                #expect(throws: TokenError.wrongType) {
                    try harness.verifier.verifyApproval(other, audiences: harness.audiences, now: now)
                }
            }
            #expect(throws: TokenError.wrongType) { try harness.verifier.verifyRefresh(token, now: now) }
        }
    }

    // T-139
    @Test func `attack: another session gets 404 when it polls, watches or ends an approval`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let outsiders = [try await harness.signIn("bob@example.com"), try await harness.signIn()]
            let started = try await harness.askApproval(ada)
            try await harness.grantApproval(started)
            for outsider in outsiders {
                for verb in ["poll", "events"] {
                    let response = try await harness.send(.get, started.path(verb), outsider.bearer)
                    try harness.expect(response, is: "operation_not_found", 404)
                }
                for verb in ["ack", "cancel"] {
                    let response = try await harness.send(.post, started.path(verb), outsider.bearer)
                    try harness.expect(response, is: "operation_not_found", 404)
                }
            }
            for headers in [HTTPFields(), .cookies(started.cookie), [.authorization: "Bearer x.y.z"]] {
                try harness.expect(try await harness.send(.get, started.path("poll"), headers), is: "unauthorized", 401)
                try harness.expect(
                    try await harness.send(.post, started.path("cancel"), headers),
                    is: "unauthorized",
                    401
                )
                try harness.expect(
                    try await harness.post(Harness.approvalPath, Harness.payment, headers),
                    is: "unauthorized",
                    401
                )
            }
            // The login's routes know it as little, with or without the cookie of its start.
            for headers in [HTTPFields(), .cookies(started.cookie), ada.bearer] {
                let poll = try await harness.send(.get, "/auth/biometric-login/poll/\(started.id)", headers)
                let view = try poll.decode(PollLoginResponse.self)
                #expect(view.hint == "created" && view.tokens == nil && view.approval == nil)
            }
            let cancel = "/auth/biometric-login/cancel/\(started.id)"
            try harness.expect(try await harness.send(.post, cancel, .cookies(started.cookie)), is: "unauthorized", 401)
            #expect(try await harness.word(started, ada) == "completed", "it is hers all the same")
        }
    }

    @Test func `attack: the approval routes answer 404 to ids of enrolments, logins and unknown operations`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let enrolment = try await harness.startEnrolment(ada)
            let login = try await harness.start()
            let approval = try await harness.askApproval(ada)
            for id in [enrolment.id, login.id, ada.login.id, "x", "00000000-0000-4000-8000-000000000000"] {
                let poll = try await harness.send(.get, "/auth/approvals/poll/\(id)", ada.bearer)
                try harness.expect(poll, is: "operation_not_found", 404)
                let cancel = try await harness.send(.post, "/auth/approvals/cancel/\(id)", ada.bearer)
                try harness.expect(cancel, is: "operation_not_found", 404)
            }
            let asEnrolment = try await harness.send(
                .get,
                "/auth/biometric-enrollment/poll/\(approval.id)",
                ada.bearer
            )
            try harness.expect(asEnrolment, is: "operation_not_found", 404)
        }
    }

    // T-135
    @Test func `attack: a forwarded approval link starts no scan without its number, and three wrong numbers end it`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let started = try await harness.askApproval(ada)
            let begun = harness.provider.beginCount
            let right = try #require(started.answer.number.flatMap { Int($0) })
            let wrong = PairingNumber((right + 1) % 100)?.text
            // The cookie of another start is no proof here.
            let foreign = try await harness.start()
            #expect(try await harness.confirm(started, nil, .cookies(foreign.cookie)).status == .badRequest)
            #expect(try await harness.confirm(started, wrong).status == .badRequest)
            #expect(try await harness.confirm(started, wrong).status == .badRequest)
            #expect(try await harness.confirm(started, wrong).status == .forbidden)
            #expect(try await harness.word(started, ada) == "too_many_attempts")
            #expect(try await harness.confirm(started, started.answer.number).status == .gone)
            #expect(harness.provider.beginCount == begun)
        }
    }

    @Test func `attack: an acknowledged approval is not handed out again, and cancelling it changes nothing`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let started = try await harness.askApproval(ada)
            try await harness.grantApproval(started)
            #expect(try await harness.word(started, ada) == "completed")
            #expect(try await harness.send(.post, started.path("ack"), ada.bearer).status == .ok)
            #expect(try await harness.word(started, ada) == "delivered")
            let late = try await harness.send(.post, started.path("cancel"), ada.bearer)
            #expect(try late.decode(OperationReceipt.self).status == .completed, "nothing is undone")
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"message":null}"#, #"{"message":["Pay"]}"#, #"{"message":"Pay","amount":"1.00"}"#,
        #"{"message":"Pay","amount":{"value":1.5,"currency":"EUR"}}"#, #"{"message":"Pay","clientId":"other"}"#,
    ])
    func `attack: an approval request of another shape gets 400 invalid_request`(_ body: String) async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            try harness.expect(
                try await harness.post(Harness.approvalPath, body, ada.bearer),
                is: "invalid_request",
                400
            )
        }
    }

    // T-137
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
    func `attack: approval texts and amounts that could be misread get 400 with a code of their own`(
        _ members: String,
        _ code: String
    ) async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let count = harness.composition.service.cache.count
            try harness.expect(try await harness.post(Harness.approvalPath, "{\(members)}", ada.bearer), is: code, 400)
            #expect(harness.composition.service.cache.count == count)
        }
    }

    // T-137
    @Test func `attack: an approval's message over 200 characters is refused, and the page escapes its text`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let long = #"{"message":"\#(String(repeating: "x", count: 201))"}"#
            try harness.expect(
                try await harness.post(Harness.approvalPath, long, ada.bearer),
                is: "invalid_message",
                400
            )
            let huge = #"{"message":"\#(String(repeating: "x", count: 70_000))"}"#
            let refused = try await harness.post(Harness.approvalPath, huge, ada.bearer)
            try harness.expect(refused, is: "payload_too_large", 413)
            let body = ##"{"message":"<script>alert(1)</script>","payee":"\"><b>{{{style}}}"}"##
            let started = try await harness.askApproval(ada, body)
            let page = try await harness.send(.get, started.landingPath).text
            #expect(!page.contains("<script") && !page.contains("<b>"))
            #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && page.contains("{{{style}}}"))
        }
    }

    // T-135
    @Test func `attack: a verdict of another account's scan, an abandoned scan or a late one approves nothing`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let bob = try await harness.signIn("bob@example.com")
            let hers = try await harness.askApproval(ada)
            #expect(try await harness.confirm(hers, hers.answer.number).status == .seeOther)
            let scan = try #require(harness.provider.newest)
            let his = try await harness.askApproval(bob)
            #expect(try await harness.confirm(his, his.answer.number).status == .seeOther)
            try await harness.judge(.approved)
            #expect(try await harness.word(hers, ada) == "user_in_provider")
            #expect(try await harness.word(his, bob) == "completed")
            let other = try #require(harness.provider.newest)
            let operation = try harness.operation(hers)
            try await harness.composition.service.observe(.approved, of: other, for: operation)
            #expect(try await harness.word(hers, ada) == "user_in_provider")
            await harness.pass(.seconds(200))
            try await harness.composition.service.observe(.approved, of: scan, for: operation)
            #expect(try await harness.word(hers, ada) == "expired")
        }
    }

    // T-139
    @Test(arguments: ["session", "account"], ["created", "pending", "approved", "redeemed"])
    func `attack: revoking the session or disabling the account ends an approval in whatever state it is`(
        _ revoked: String,
        _ state: String
    ) async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let started = try await harness.askApproval(ada)
            if state != "created" {
                #expect(try await harness.confirm(started, started.answer.number).status == .seeOther)
            }
            if state == "approved" || state == "redeemed" { try await harness.judge(.approved) }
            if state == "redeemed" { #expect(try await harness.word(started, ada) == "completed") }
            #expect(try harness.operation(started).state.name.rawValue == state)
            if revoked == "session" {
                _ = try await harness.revokeAll(of: try #require(try harness.operation(started).request.account))
            } else {
                _ = try await harness.composition.accounts.disable("ada@example.com")
            }
            let begun = harness.provider.beginCount
            if state == "created" {
                #expect(try await harness.confirm(started, started.answer.number).status == .gone)
                #expect(harness.provider.beginCount == begun, "and is not scanned")
            }
            if state == "pending" { try await harness.judge(.approved) }
            try harness.expect(try await harness.poll(started, ada), is: "unauthorized", 401)
            let end = try harness.operation(started).state.name
            #expect(end != .redeemed || state == "redeemed", "nothing is handed out any more")
            try harness.expect(
                try await harness.post(Harness.approvalPath, Harness.payment, ada.bearer),
                is: "unauthorized",
                401
            )
        }
    }

    // T-139
    @Test func `"this wasn't me" on an approval's page ends it, and later revokes the session that asked`() async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let attacker = try await harness.signIn()
            let started = try await harness.askApproval(attacker)
            let denial = try await harness.send(
                .post,
                started.landingPath + "/not-me",
                [.fetchSite: "same-origin"]
            )
            #expect(denial.status == .ok && denial.text.contains("Nothing was approved or changed,"))
            #expect(try await harness.word(started, attacker) == "denied_not_me")
            let second = try await harness.askApproval(attacker)
            try await harness.grantApproval(second)
            #expect(try await harness.word(second, attacker) == "completed")
            #expect(try await harness.disown(try harness.operation(second).id.description, ada).status == .ok)
            try harness.expect(try await harness.poll(second, attacker), is: "unauthorized", 401)
            try harness.expect(
                try await harness.send(.get, "/auth/operations", attacker.bearer),
                is: "unauthorized",
                401
            )
            #expect(try harness.operation(second).state.name == .closed)
        }
    }

    // T-109
    @Test func `a newer approval supersedes an older one of its session, and not one of another session`() async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let phone = try await harness.signIn()
            let first = try await harness.askApproval(ada)
            let beside = try await harness.askApproval(phone)
            let second = try await harness.askApproval(ada)
            #expect(try await harness.word(first, ada) == "superseded")
            #expect(try await harness.word(second, ada) == "created")
            #expect(try await harness.word(beside, phone) == "created")
        }
    }

    // T-109
    @Test func `attack: a session's sixteenth approval request gets 429, and other sessions keep their budget`()
        async throws
    {
        try await Harness.run { harness in
            let attacker = try await harness.signIn()
            let ada = try await harness.signIn()
            for _ in 0..<15 { _ = try await harness.askApproval(attacker) }
            let refused = try await harness.post(Harness.approvalPath, Harness.payment, attacker.bearer)
            try harness.expect(refused, is: "rate_limited", 429)
            #expect(try await harness.post(Harness.enrolPath, "", attacker.bearer).status == .tooManyRequests)
            _ = try await harness.askApproval(ada)
        }
    }

    @Test func `an account without a face is told to enrol one first`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            try await harness.unenrol("ada@example.com")
            let response = try await harness.post(Harness.approvalPath, Harness.payment, ada.bearer)
            try harness.expect(response, is: "not_enrolled", 409)
        }
    }
}
