import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Sessions
import Settings
import Testing
import TokenReading
import Tokens
import Web
import Wire

@testable import Assembly
@testable import HTTPAPI

/// A signed-in person approves something with their face.
struct ApprovalTests {
    // T-136
    @Test(arguments: ["", "/api"])
    func `what the page showed is what the token names`(_ prefix: String) async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let started = try await harness.askApproval(ada, Harness.payment, prefix)
            #expect(
                Set(try started.response.json().keys)
                    == Set(try ada.login.response.json().keys).union(["number"]),
                "the shape of a login's start"
            )
            let page = try await harness.send(.get, started.landingPath)
            #expect(page.status == .ok && !page.text.contains("<script"))
            #expect(page.text.contains(#"<blockquote dir="auto">Pay the invoice 4711</blockquote>"#))
            for fact in ["€1,250.00", "Möbel &amp; Söhne", "BBMS", "a•••@example.com"] {
                #expect(page.text.contains("<dd>\(fact)</dd>"), "\(fact)")
            }
            #expect(page.text.contains("Do you approve this?") && page.text.contains("This wasn’t me"))
            #expect(try await harness.word(started, ada) == "created")
            #expect(try await harness.confirm(started, started.answer.number).status == .seeOther)
            guard case .begin(let asked)? = harness.provider.calls.last(where: \.isBegin) else {
                Issue.record("the provider was not asked")
                return
            }
            #expect(asked.enrolment == "enrolment of ada" && asked.applicant == nil, "scanned as herself")
            #expect(try await harness.word(started, ada) == "user_in_provider")
            try await harness.judge(.approved)

            let end = try await harness.send(.get, prefix + started.path("poll"), ada.bearer)
            #expect(Set(try end.json().keys) == ["status", "seq", "approval"])
            let claims = try harness.approved(end)
            let operation = try harness.operation(started)
            #expect(
                claims.account == operation.request.account && claims.session == operation.request.purpose.startedBy
            )
            #expect(claims.clientID == "bbms" && harness.audiences.contains(claims.audience))
            #expect(
                claims.subject
                    == .init(
                        message: "Pay the invoice 4711",
                        amount: .init(value: "1250.00", currency: "EUR"),
                        payee: "Möbel & Söhne",
                        payloadHash: Base64URL.decode(Harness.challenge).flatMap { Digest256($0) }
                    )
            )
            #expect(claims.expiresAt - claims.issuedAt == .seconds(300))
            #expect(claims.operationTime.seconds == operation.validity.createdAt.seconds)
            #expect(claims.authenticatedAt >= claims.operationTime && claims.authenticatedAt <= claims.issuedAt)
            #expect(try await harness.revokeAll(of: claims.account) == 1, "it opens no session beside hers")
        }
    }

    // T-138
    @Test(arguments: HarnessStorage.databases)
    func `it is handed out again with the same claims until it is acknowledged, and survives a restart`(
        _ storage: HarnessStorage
    )
        async throws
    {
        let folder = try TestFolder()
        let kept = Kept()
        let (time, provider) = (VirtualTime(), ScriptedFaceProvider(name: ProviderName("mock")))
        try await Harness.run(storage: storage, folder: folder, time: time, provider: provider) { harness in
            let ada = try await harness.signIn()
            let started = try await harness.askApproval(ada)
            try await harness.grantApproval(started)
            let first = try harness.approved(try await harness.poll(started, ada))
            #expect(try harness.approved(try await harness.poll(started, ada)) == first)
            kept.put([ada.tokens.accessToken, started.id, first.tokenID].joined(separator: " "))
        }
        try await Harness.run(storage: storage, folder: folder, time: time, seed: 2, provider: provider) { harness in
            let words = try #require(kept.claims).split(separator: " ").map(String.init)
            let bearer: HTTPFields = [.authorization: "Bearer \(words[0])"]
            let again = try await harness.send(.get, "/auth/approvals/poll/\(words[1])", bearer)
            #expect(try harness.approved(again).tokenID == words[2])
            #expect(try await harness.send(.post, "/auth/approvals/ack/\(words[1])", bearer).status == .ok)
            let late = try await harness.send(.get, "/auth/approvals/poll/\(words[1])", bearer).json()
            #expect(Set(late.keys) == ["status", "seq", "delivery"] && late["delivery"] as? String == "closed")
        }
    }

    @Test func `its window ends, and an approval that nobody collects expires`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let collected = try await harness.askApproval(ada)
            try await harness.grantApproval(collected)
            #expect(try await harness.word(collected, ada) == "completed")
            let left = try await harness.askApproval(ada)
            #expect(try await harness.word(collected, ada) == "completed", "a newer one takes nothing of it")
            try await harness.grantApproval(left)
            await harness.pass(.seconds(125))
            #expect(try await harness.word(collected, ada) == "delivered")
            #expect(try await harness.word(left, ada) == "expired")
        }
    }

    // T-135
    @Test func `the very browser that asked types no number, and any other one does`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let started = try await harness.askApproval(ada)
            let own = try await harness.send(.get, started.landingPath, .cookies(started.cookie))
            #expect(!own.text.contains("<input") && own.text.contains("€1,250.00"), "it asks all the same")
            #expect(try await harness.send(.get, started.landingPath).text.contains("<input"))
            #expect(try await harness.confirm(started, nil, .cookies(started.cookie)).status == .seeOther)
        }
    }

    // T-135
    @Test(arguments: ["redirect", "direct"])
    func `attack: an approval asks for its number although the client's landing policy asks nothing`(
        _ landing: String
    ) async throws {
        try await Harness.run {
            $0.faceLogin.landing = landing == "direct" ? .direct : .redirect
        } _: { harness in
            let login = try await harness.start()
            // Under `direct` the scan has begun with the start.
            if landing == "redirect" { try await harness.open(login) }
            try await harness.judge(.approved)
            let tokens = try await harness.poll(login, login.bound).decode(PollLoginResponse.self).tokens
            let ada = SignedInPersonOfTest(login: login, tokens: try #require(tokens), device: nil)
            let started = try await harness.askApproval(ada)
            #expect(started.answer.authIdUrl.contains("/go/"))
            let page = try await harness.send(.get, started.landingPath)
            #expect(!page.text.contains("<script") && page.text.contains("<input"))
            let begun = harness.provider.beginCount
            #expect(try await harness.confirm(started, nil).status == .badRequest)
            #expect(harness.provider.beginCount == begun)
        }
    }

    @Test func `a poll waits for a change, and events tell of it without a token`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let started = try await harness.askApproval(ada)
            let bad = try await harness.send(.get, started.path("poll") + "?wait=31", ada.bearer)
            try harness.expect(bad, is: "invalid_wait", 400)
            async let waiting = harness.send(.get, started.path("poll") + "?wait=30", ada.bearer)
            while harness.parkedCount == 0 { await Task.yield() }
            #expect(try await harness.confirm(started, started.answer.number).status == .seeOther)
            #expect(try await waiting.decode(PollLoginResponse.self).status == .pending)
            try await harness.judge(.approved)
            let answer = try await harness.poll(started, ada)
            let token = try #require(try answer.decode(PollLoginResponse.self).approval?.token)
            let events = try await harness.send(.get, started.path("events"), ada.bearer)
            #expect(events.headers[.contentType] == "text/event-stream")
            #expect(events.text.contains(#""status":"completed"}"#) && !events.text.contains(token))
        }
    }

    @Test func `a sign-in of any age may ask: the scan is the proof`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            await harness.pass(.seconds(1200))
            try harness.expect(
                try await harness.send(.post, Harness.enrolPath, ada.bearer),
                is: "step_up_required",
                403
            )
            let started = try await harness.askApproval(ada)
            try await harness.grantApproval(started)
            let claims = try harness.approved(try await harness.poll(started, ada))
            #expect(claims.authenticatedAt > claims.operationTime)
        }
    }

    @Test func `the owner sees it, with what was approved and from where`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let started = try await harness.askApproval(ada)
            try await harness.grantApproval(started)
            _ = try await harness.poll(started, ada)
            let seen = try #require(try await harness.owned(ada).first { $0.kind == "approve" })
            #expect(seen.approval?.message == "Pay the invoice 4711" && seen.approval?.payee == "Möbel & Söhne")
            #expect(seen.approval?.amount == ApprovalAmount(value: "1250.00", currency: "EUR"))
            #expect(seen.status == .completed && seen.session?.current == true)
        }
    }

    @Test func `no page and no answer of an approval speaks of a sign-in`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            var texts: [String] = []
            let denied = try await harness.askApproval(ada)
            let denial = denied.landingPath + "/not-me"
            texts.append(try await harness.send(.post, denial, [.fetchSite: "same-origin"]).text)
            texts.append(try await harness.poll(denied, ada).text)
            texts.append(try await harness.send(.get, denied.landingPath).text)
            let failed = try await harness.askApproval(ada)
            harness.provider.fail(with: .unreached(cause: "down"))
            texts.append(try await harness.confirm(failed, failed.answer.number).text)
            harness.provider.fail(with: nil)
            let browser = try await harness.confirm(failed, failed.answer.number).cookie("vst_go")
            try await harness.judge(.rejected(.declined))
            texts.append(try await harness.send(.get, failed.landingPath, .cookies(browser)).text)
            texts.append(try await harness.poll(failed, ada).text)
            texts.append(try await harness.send(.get, failed.path("events"), ada.bearer).text)
            let canceled = try await harness.askApproval(ada)
            texts.append(try await harness.send(.post, canceled.path("cancel"), ada.bearer).text)
            #expect(texts.count == 8)
            for text in texts {
                #expect(!text.lowercased().contains("sign-in") && !text.lowercased().contains("signed in"), "\(text)")
                #expect(!text.lowercased().contains("signs you"), "\(text)")
            }
        }
    }

    @Test func `in every language the texts of enrolments and approvals do not speak of a sign-in`() {
        let marks = ["en": "sign-in", "fr": "connexion", "es": "inicio de sesión", "sv": "inloggning", "de": "anmeld"]
        for texts in LocalizedStrings.builtIn {
            let mark = marks[texts.language] ?? ""
            #expect(!mark.isEmpty)
            for kind in [OperationKind.enroll, .approve] {
                for code in FailureCode.allCases {
                    #expect(!texts.failure(code, of: kind).lowercased().contains(mark), "\(code)")
                }
                // A decoy is always a login's; and whoever has to sign in again reads that word.
                for page in LandingPages.Page.allCases where ![.notOnThisDevice, .signInAgain].contains(page) {
                    let words = texts.page(page, of: kind)
                    #expect(!words.body.lowercased().contains(mark), "\(texts.language) \(page)")
                    #expect(!words.title.lowercased().contains(mark), "\(texts.language) \(page)")
                    #expect((words.button == nil) == (texts.page(page).button == nil), "\(page)")
                }
            }
        }
    }
}

extension Harness {
    /// How many sessions of the account are open; none is afterwards.
    func revokeAll(of account: AccountID) async throws -> Int {
        try await composition.unitOfWork.run { [sessions = composition.sessions] in
            try sessions.revokeAll(of: account, because: .signedOutEverywhere, in: $0)
        }
    }
}
