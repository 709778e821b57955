import Accounts
import Audit
import Devices
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
import Wire

@testable import Assembly
@testable import HTTPAPI

/// A signed-in person's face is enrolled, and nobody else's.
struct EnrolmentTests {
    @Test(arguments: ["", "/api"])
    func `a face is enrolled, and signs its account in from then on`(_ prefix: String) async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            try await harness.unenrol("ada@example.com")
            #expect(try harness.operation(try await harness.start()).isDecoy, "no face signs her in")

            let answer = try await harness.send(.post, prefix + Harness.enrolPath, ada.bearer)
            let started = try harness.enrolment(answer)
            #expect(
                Set(try answer.json().keys) == Set(try ada.login.response.json().keys),
                "the shape of a login's start"
            )
            #expect(try await harness.enrolmentWord(started, ada, prefix) == "created")
            #expect(try await harness.send(.post, started.landingPath, [.fetchSite: "same-origin"]).status == .seeOther)
            guard case .begin(let asked)? = harness.provider.calls.last(where: { $0.isBegin }) else {
                Issue.record("the provider was not asked")
                return
            }
            #expect(asked.applicant?.reference == "enrolment of ada" && asked.applicant?.email == "ada@example.com")
            #expect(try await harness.enrolmentWord(started, ada, prefix) == "user_in_provider")
            try await harness.judge(.approved)
            let end = try await harness.send(.get, prefix + started.pollPath, ada.bearer)
            #expect(
                try Set(end.json().keys) == ["status", "seq"] && end.decode(PollLoginResponse.self).status == .completed
            )
            #expect(try !harness.operation(try await harness.start()).isDecoy)
            #expect(try await harness.count(of: "operation.enrolled") == 1)
            let told = try await harness.mails()
            #expect(told.map(\.to) == ["ada@example.com"] && told[0].subject.hasPrefix("A face was enrolled"))
            let owned = try await (operations: harness.owned(ada), enrolments: harness.ownedEnrolments(ada))
            #expect(!owned.operations.map(\.kind).contains("enroll") && owned.enrolments.map(\.kind) == ["enroll"])
        }
    }

    // T-102
    @Test(arguments: HarnessStorage.databases)
    func `the owner is told of the face in the language that it was enrolled in, also after a restart`(
        _ storage: HarnessStorage
    )
        async throws
    {
        let folder = try TestFolder()
        let (time, provider) = (VirtualTime(), ScriptedFaceProvider(name: ProviderName("mock")))
        try await Harness.run(storage: storage, folder: folder, time: time, provider: provider) { harness in
            let ada = try await harness.signIn()
            let asked = ada.bearer.adding(.acceptLanguage, "es")
            try await harness.openEnrolment(
                try harness.enrolment(try await harness.send(.post, Harness.enrolPath, asked))
            )
        }
        try await Harness.run(storage: storage, folder: folder, time: time, seed: 2, provider: provider) { harness in
            try await harness.judge(.approved)
            let told = try await harness.mails()
            #expect(told.map(\.to) == ["ada@example.com"])
            let subject = try #require(told.first).subject
            #expect(subject.hasPrefix("Se ha registrado un rostro para su cuenta"), "\(subject)")
        }
    }

    // T-134
    @Test func `the account's name at the provider is random, made by its first enrolment, and never changes`()
        async throws
    {
        try await Harness.run { harness in
            let carol = try await harness.newcomer()
            let policy = try harness.settings.clientDirectory.client(named: "bbms", surface: nil)
            for verdict in [ScanStatus.rejected(.livenessFailed), .approved] {
                #expect(try await harness.isEnrolled("carol@example.com") == false)
                let begun = try await harness.composition.service.beginEnrolment(
                    carol,
                    policy: policy,
                    mayReplace: false
                )
                try await harness.send(.post, "/go/\(begun.ticket.expose())", [.fetchSite: "same-origin"])
                try await harness.judge(verdict)
            }
            #expect(try await harness.isEnrolled("carol@example.com"))
            let names = harness.provider.calls.compactMap { call -> String? in
                if case .begin(let request) = call, request.applicant != nil { request.enrolment } else { nil }
            }
            #expect(names.count == 2 && Set(names).count == 1 && UUIDBits(names[0]) != nil)
        }
    }

    // T-099
    @Test func `attack: a token older than ten minutes starts no enrolment and gets 403 step_up_required`() async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            await harness.pass(.seconds(590))
            #expect(try await harness.send(.post, Harness.enrolPath, ada.bearer).status == .ok)
            await harness.pass(.seconds(11))
            let response = try await harness.send(.post, Harness.enrolPath, ada.bearer)
            try harness.expect(response, is: "step_up_required", 403)
            #expect(response.headers[.wwwAuthenticate] == nil)
            try harness.expect(try await harness.send(.post, Harness.enrolPath), is: "unauthorized", 401)
        }
    }

    // T-110
    @Test func `attack: a password sign-in can't replace a face and gets 403 step_up_required`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            _ = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, ada.bearer)
            let attacker = try await harness.passwordSignIn("ada@example.com").decode(SignInResponse.self)
            let begins = harness.provider.calls.count
            for path in [Harness.enrolPath, "/api" + Harness.enrolPath] {
                let response = try await harness.send(.post, path, .bearing(attacker.accessToken))
                try harness.expect(response, is: "step_up_required", 403)
                #expect(response.headers[.wwwAuthenticate] == nil)
            }
            #expect(harness.provider.calls.count == begins)
            #expect(try await harness.send(.post, Harness.enrolPath, ada.bearer).status == .ok, "a face may")
            // A first face takes no more than a recent sign-in.
            try await harness.unenrol("ada@example.com")
            #expect(try await harness.send(.post, Harness.enrolPath, .bearing(attacker.accessToken)).status == .ok)
        }
    }

    // T-099, T-134
    @Test func `attack: an enrolment ignores an address in its body and enrols the token's own account`() async throws {
        try await Harness.run { harness in
            let bob = try await harness.signIn("bob@example.com")
            let body = #"{"email":"ada@example.com","account":"ada@example.com","enrollmentId":"enrolment of ada"}"#
            let started = try harness.enrolment(try await harness.post(Harness.enrolPath, body, bob.bearer))
            try await harness.openEnrolment(started)
            guard case .begin(let asked)? = harness.provider.calls.last(where: { $0.isBegin }) else {
                Issue.record("the provider was not asked")
                return
            }
            #expect(asked.enrolment == "enrolment of bob" && asked.applicant?.reference == "enrolment of bob")
        }
    }

    // T-134
    @Test func `attack: an enrolment is shown to its own session alone, and other sessions get 404`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let bob = try await harness.signIn("bob@example.com")
            let another = try await harness.signIn()
            let started = try await harness.startEnrolment(ada)
            for outsider in [bob, another] {
                let response = try await harness.send(.get, started.pollPath, outsider.bearer)
                try harness.expect(response, is: "operation_not_found", 404)
            }
            try harness.expect(try await harness.send(.get, started.pollPath), is: "unauthorized", 401)
            // The login's routes know nothing more of it than of a login whose proof is lacking.
            let asLogin = "/auth/biometric-login/poll/\(started.id)"
            #expect(try await harness.send(.get, asLogin, ada.bearer).decode(PollLoginResponse.self).hint == "created")
            try await harness.openEnrolment(started)
            try await harness.judge(.approved)
            #expect(try await harness.send(.get, asLogin, ada.bearer).decode(PollLoginResponse.self).tokens == nil)
            #expect(try await harness.send(.get, asLogin, ada.bearer).decode(PollLoginResponse.self).hint == "created")
            let login = try await harness.start()
            try harness.expect(
                try await harness.send(.get, "/auth/biometric-enrollment/poll/\(login.id)", ada.bearer),
                is: "operation_not_found",
                404
            )
        }
    }

    // T-099
    @Test func `attack: a verdict after the session or the account was revoked enrols no face`() async throws {
        for revokes in ["session", "account"] {
            try await Harness.run { harness in
                let ada = try await harness.signIn()
                try await harness.unenrol("ada@example.com")
                let started = try await harness.startEnrolment(ada)
                try await harness.openEnrolment(started)
                if revokes == "session" {
                    _ = try await harness.disown(try harness.row(ada.login), ada)
                } else {
                    _ = try await harness.composition.accounts.disable("ada@example.com")
                }
                try await harness.judge(.approved)
                #expect(try await harness.isEnrolled("ada@example.com") == false)
                #expect(try harness.operation(started).state.name == .failed)
                #expect(try await harness.count(of: "operation.enrolled") == 0)
            }
        }
    }

    // T-010, T-060
    @Test func `attack: a late verdict, one of another scan and one of an abandoned enrolment enrol no face`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            try await harness.unenrol("ada@example.com")
            let first = try await harness.startEnrolment(ada)
            try await harness.openEnrolment(first)
            let abandoned = try #require(harness.provider.newest)
            let second = try await harness.startEnrolment(ada)
            #expect(try await harness.enrolmentWord(first, ada) == "superseded", "the newer one goes on")
            harness.provider.answer(abandoned, .approved)
            await harness.pass(.seconds(6))
            try await harness.openEnrolment(second)
            let operation = try harness.operation(second)
            try await harness.composition.service.observe(.approved, of: abandoned, for: operation)
            #expect(try await harness.isEnrolled("ada@example.com") == false)
            await harness.pass(.seconds(200))
            let late = try #require(harness.provider.newest)
            try await harness.composition.service.observe(.approved, of: late, for: operation)
            #expect(try await harness.isEnrolled("ada@example.com") == false)
            #expect(try await harness.enrolmentWord(second, ada) == "expired")
        }
    }

    // T-102
    @Test func `"not me" on an enrolment withdraws that face, and not one enrolled later`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let attacker = try await harness.signIn()
            let injected = try await harness.startEnrolment(attacker)
            try await harness.openEnrolment(injected)
            try await harness.judge(.approved)
            #expect(try await harness.disown(try harness.operation(injected).id.description, ada).status == .ok)
            #expect(try await harness.isEnrolled("ada@example.com") == false)
            try harness.expect(
                try await harness.send(.get, "/auth/operations", attacker.bearer),
                is: "unauthorized",
                401
            )
            let own = try await harness.startEnrolment(ada)
            try await harness.openEnrolment(own)
            try await harness.judge(.approved)
            #expect(try await harness.disown(try harness.operation(injected).id.description, ada).status == .ok)
            #expect(try await harness.isEnrolled("ada@example.com"), "her own stays")
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `an enrolment survives a restart, and its verdict counts`(_ storage: HarnessStorage) async throws {
        let folder = try TestFolder()
        let kept = Kept()
        let (time, provider) = (VirtualTime(), ScriptedFaceProvider(name: ProviderName("mock")))
        try await Harness.run(storage: storage, folder: folder, time: time, provider: provider) { harness in
            let ada = try await harness.signIn()
            try await harness.unenrol("ada@example.com")
            let started = try await harness.startEnrolment(ada)
            try await harness.openEnrolment(started)
            kept.put(ada.tokens.accessToken + " " + started.id)
        }
        try await Harness.run(storage: storage, folder: folder, time: time, seed: 2, provider: provider) { harness in
            let words = try #require(kept.claims).split(separator: " ")
            try await harness.judge(.approved)
            let answer = try await harness.send(
                .get,
                "/auth/biometric-enrollment/poll/\(words[1])",
                [.authorization: "Bearer \(words[0])"]
            )
            #expect(try answer.decode(PollLoginResponse.self).status == .completed, "\(answer.text)")
            #expect(try await harness.isEnrolled("ada@example.com"))
        }
    }

    @Test func `a poll waits for a change, and events tell of it, for its own session alone`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let bob = try await harness.signIn("bob@example.com")
            let started = try await harness.startEnrolment(ada)
            let events = "/auth/biometric-enrollment/events/\(started.id)"
            for wait in ["0", "31", "x"] {
                let response = try await harness.send(.get, started.pollPath + "?wait=\(wait)", ada.bearer)
                try harness.expect(response, is: "invalid_wait", 400)
            }
            try harness.expect(try await harness.send(.get, events, bob.bearer), is: "operation_not_found", 404)
            try harness.expect(try await harness.send(.get, events), is: "unauthorized", 401)
            async let waiting = harness.send(.get, started.pollPath + "?wait=30", ada.bearer)
            while harness.parkedCount == 0 { await Task.yield() }
            try await harness.openEnrolment(started)
            #expect(try await waiting.decode(PollLoginResponse.self).status == .pending)
            try await harness.judge(.approved)
            let stream = try await harness.send(.get, "/api" + events, ada.bearer)
            #expect(stream.headers[.contentType] == "text/event-stream")
            #expect(stream.text.contains(#""status":"completed"}"#))
            let seq = try harness.operation(started).seq
            let seen = ada.bearer.adding(.named("Last-Event-ID"), "\(seq)")
            #expect(try await harness.send(.get, events, seen).status == .noContent)
        }
    }

    @Test(.ofOneDaemon(.countedByEach)) func `a poll that is too fast is told to slow down`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let started = try await harness.startEnrolment(ada)
            var last = try await harness.send(.get, started.pollPath, ada.bearer)
            for _ in 0..<25 where last.status == .ok {
                last = try await harness.send(.get, started.pollPath, ada.bearer)
            }
            #expect(last.status == .tooManyRequests)
            #expect(try last.json()["code"] as? String == "slow_down")
        }
    }

    @Test func `words of a sign-in are on no page and in no answer of an enrolment`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            var texts: [String] = []
            for verdict in [ScanStatus.rejected(.declined), .approved, .canceled] {
                let started = try await harness.startEnrolment(ada)
                let opened = try await harness.send(.post, started.landingPath, [.fetchSite: "same-origin"])
                try await harness.judge(verdict)
                let browser = HTTPFields.cookies(opened.cookie("vst_go"))
                texts.append(try await harness.send(.get, started.landingPath, browser).text)
                texts.append(try await harness.send(.get, started.pollPath, ada.bearer).text)
            }
            #expect(texts[0].contains("The request was declined.") && texts[1].contains("The request was declined."))
            for text in texts {
                #expect(!text.lowercased().contains("sign-in") && !text.lowercased().contains("signed in"), "\(text)")
                #expect(!text.lowercased().contains("signs you"), "\(text)")
            }
        }
    }

    @Test func `a provider that enrols nobody says so`() async throws {
        let provider = ScriptedFaceProvider(name: ProviderName("mock"), enrolsFaces: false)
        try await Harness.run(provider: provider) { harness in
            let ada = try await harness.signIn()
            let response = try await harness.send(.post, Harness.enrolPath, ada.bearer)
            try harness.expect(response, is: "enrollment_not_offered", 404)
        }
    }
}

extension ScriptedFaceProvider.Call {
    var isBegin: Bool {
        switch self {
        case .begin: true
        case .check, .cancel: false
        }
    }
}
