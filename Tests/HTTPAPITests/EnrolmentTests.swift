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
import Storage
import Testing
import TokenReading
import Tokens
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// A signed-in person's face is enrolled, and nobody else's.
struct EnrolmentTests {
    @Test(arguments: ["", "/api"])
    func `a face is enrolled, and signs its account in from then on`(_ prefix: String) async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            try await bench.unenrol("ada@example.com")
            #expect(try bench.operation(try await bench.start()).isDecoy, "no face signs her in")

            let answer = try await bench.send(.post, prefix + Bench.enrolPath, ada.bearer)
            let started = try bench.enrolment(answer)
            #expect(
                Set(try answer.json().keys) == Set(try ada.login.response.json().keys),
                "the shape of a login's start"
            )
            #expect(try await bench.enrolmentWord(started, ada, prefix) == "created")
            #expect(try await bench.send(.post, started.landingPath, [.fetchSite: "same-origin"]).status == .seeOther)
            guard case .begin(let asked)? = bench.provider.calls.last(where: { $0.isBegin }) else {
                Issue.record("the provider was not asked")
                return
            }
            #expect(asked.applicant?.reference == "enrolment of ada" && asked.applicant?.email == "ada@example.com")
            #expect(try await bench.enrolmentWord(started, ada, prefix) == "user_in_provider")
            try await bench.judge(.approved)
            let end = try await bench.send(.get, prefix + started.pollPath, ada.bearer)
            #expect(
                try Set(end.json().keys) == ["status", "seq"] && end.decode(PollLoginResponse.self).status == .completed
            )
            #expect(try !bench.operation(try await bench.start()).isDecoy)
            #expect(try await bench.count(of: "operation.enrolled") == 1)
            let told = try await bench.mails()
            #expect(told.map(\.to) == ["ada@example.com"] && told[0].subject.hasPrefix("A face was enrolled"))
            let owned = try await (operations: bench.owned(ada), enrolments: bench.ownedEnrolments(ada))
            #expect(!owned.operations.map(\.kind).contains("enroll") && owned.enrolments.map(\.kind) == ["enroll"])
        }
    }

    @Test func `the owner is told of the face in the language that it was enrolled in, also after a restart`()
        async throws
    {
        let folder = try TestFolder()
        let (time, provider) = (VirtualTime(), ScriptedFaceProvider(name: ProviderName("mock")))
        try await Bench.run(folder: folder, time: time, provider: provider) { bench in
            let ada = try await bench.signIn()
            let asked = ada.bearer.adding(.acceptLanguage, "es")
            try await bench.openEnrolment(try bench.enrolment(try await bench.send(.post, Bench.enrolPath, asked)))
        }
        try await Bench.run(folder: folder, time: time, seed: 2, provider: provider) { bench in
            try await bench.judge(.approved)
            let told = try await bench.mails()
            #expect(told.map(\.to) == ["ada@example.com"])
            let subject = try #require(told.first).subject
            #expect(subject.hasPrefix("Se ha registrado un rostro para su cuenta"), "\(subject)")
        }
    }

    @Test func `the account's name at the provider is random, made by its first enrolment, and never changes`()
        async throws
    {
        try await Bench.run { bench in
            let carol = try await bench.newcomer()
            let policy = try bench.settings.clientDirectory.client(named: "bbms", surface: nil)
            for verdict in [ScanStatus.rejected(.livenessFailed), .approved] {
                #expect(try await bench.isEnrolled("carol@example.com") == false)
                let begun = try await bench.composition.service.beginEnrolment(carol, policy: policy, mayReplace: false)
                try await bench.send(.post, "/go/\(begun.ticket.expose())", [.fetchSite: "same-origin"])
                try await bench.judge(verdict)
            }
            #expect(try await bench.isEnrolled("carol@example.com"))
            let names = bench.provider.calls.compactMap { call -> String? in
                if case .begin(let request) = call, request.applicant != nil { request.enrolment } else { nil }
            }
            #expect(names.count == 2 && Set(names).count == 1 && UUIDBits(names[0]) != nil)
        }
    }

    @Test func `attack: a token that is good but old starts no enrolment, and is no 401`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            await bench.pass(.seconds(590))
            #expect(try await bench.send(.post, Bench.enrolPath, ada.bearer).status == .ok)
            await bench.pass(.seconds(11))
            let response = try await bench.send(.post, Bench.enrolPath, ada.bearer)
            try bench.expect(response, is: "step_up_required", 403)
            #expect(response.headers[.wwwAuthenticate] == nil)
            try bench.expect(try await bench.send(.post, Bench.enrolPath), is: "unauthorized", 401)
        }
    }

    @Test func `attack: a password alone replaces no face, however fresh it is, and is no 401`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            _ = try await bench.post("/auth/password", #"{"newPassword": "\#(Bench.password)"}"#, ada.bearer)
            let thief = try await bench.passwordSignIn("ada@example.com").decode(SignInResponse.self)
            let begins = bench.provider.calls.count
            for path in [Bench.enrolPath, "/api" + Bench.enrolPath] {
                let response = try await bench.send(.post, path, .bearing(thief.accessToken))
                try bench.expect(response, is: "step_up_required", 403)
                #expect(response.headers[.wwwAuthenticate] == nil)
            }
            #expect(bench.provider.calls.count == begins)
            #expect(try await bench.send(.post, Bench.enrolPath, ada.bearer).status == .ok, "a face may")
            // A first face takes no more than a recent sign-in.
            try await bench.unenrol("ada@example.com")
            #expect(try await bench.send(.post, Bench.enrolPath, .bearing(thief.accessToken)).status == .ok)
        }
    }

    @Test func `attack: nobody enrols a face for another account`() async throws {
        try await Bench.run { bench in
            let bob = try await bench.signIn("bob@example.com")
            let body = #"{"email":"ada@example.com","account":"ada@example.com","enrollmentId":"enrolment of ada"}"#
            let started = try bench.enrolment(try await bench.post(Bench.enrolPath, body, bob.bearer))
            try await bench.openEnrolment(started)
            guard case .begin(let asked)? = bench.provider.calls.last(where: { $0.isBegin }) else {
                Issue.record("the provider was not asked")
                return
            }
            #expect(asked.enrolment == "enrolment of bob" && asked.applicant?.reference == "enrolment of bob")
        }
    }

    @Test func `attack: an enrolment is seen, collected and ended from its own session alone`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let bob = try await bench.signIn("bob@example.com")
            let another = try await bench.signIn()
            let started = try await bench.startEnrolment(ada)
            for stranger in [bob, another] {
                let response = try await bench.send(.get, started.pollPath, stranger.bearer)
                try bench.expect(response, is: "operation_not_found", 404)
            }
            try bench.expect(try await bench.send(.get, started.pollPath), is: "unauthorized", 401)
            // The login's routes know nothing more of it than of a login whose proof is lacking.
            let asLogin = "/auth/biometric-login/poll/\(started.id)"
            #expect(try await bench.send(.get, asLogin, ada.bearer).decode(PollLoginResponse.self).hint == "created")
            try await bench.openEnrolment(started)
            try await bench.judge(.approved)
            #expect(try await bench.send(.get, asLogin, ada.bearer).decode(PollLoginResponse.self).tokens == nil)
            #expect(try await bench.send(.get, asLogin, ada.bearer).decode(PollLoginResponse.self).hint == "created")
            let login = try await bench.start()
            try bench.expect(
                try await bench.send(.get, "/auth/biometric-enrollment/poll/\(login.id)", ada.bearer),
                is: "operation_not_found",
                404
            )
        }
    }

    @Test func `attack: a verdict that comes after the session or the account was revoked enrols nobody`() async throws
    {
        for revokes in ["session", "account"] {
            try await Bench.run { bench in
                let ada = try await bench.signIn()
                try await bench.unenrol("ada@example.com")
                let started = try await bench.startEnrolment(ada)
                try await bench.openEnrolment(started)
                if revokes == "session" {
                    _ = try await bench.disown(try bench.row(ada.login), ada)
                } else {
                    _ = try await bench.composition.accounts.disable("ada@example.com")
                }
                try await bench.judge(.approved)
                #expect(try await bench.isEnrolled("ada@example.com") == false)
                #expect(try bench.operation(started).state.name == .failed)
                #expect(try await bench.count(of: "operation.enrolled") == 0)
            }
        }
    }

    @Test func `attack: verdicts that are late, of another scan, or abandoned enrol nobody`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            try await bench.unenrol("ada@example.com")
            let first = try await bench.startEnrolment(ada)
            try await bench.openEnrolment(first)
            let abandoned = try #require(bench.provider.newest)
            let second = try await bench.startEnrolment(ada)
            #expect(try await bench.enrolmentWord(first, ada) == "superseded", "the newer one goes on")
            bench.provider.answer(abandoned, .approved)
            await bench.pass(.seconds(6))
            try await bench.openEnrolment(second)
            let operation = try bench.operation(second)
            try await bench.composition.service.observe(.approved, of: abandoned, for: operation)
            #expect(try await bench.isEnrolled("ada@example.com") == false)
            await bench.pass(.seconds(200))
            let late = try #require(bench.provider.newest)
            try await bench.composition.service.observe(.approved, of: late, for: operation)
            #expect(try await bench.isEnrolled("ada@example.com") == false)
            #expect(try await bench.enrolmentWord(second, ada) == "expired")
        }
    }

    @Test func `a face that was enrolled by somebody else is withdrawn by its owner, and not the one after it`()
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let thief = try await bench.signIn()
            let planted = try await bench.startEnrolment(thief)
            try await bench.openEnrolment(planted)
            try await bench.judge(.approved)
            #expect(try await bench.disown(try bench.operation(planted).id.description, ada).status == .ok)
            #expect(try await bench.isEnrolled("ada@example.com") == false)
            try bench.expect(try await bench.send(.get, "/auth/operations", thief.bearer), is: "unauthorized", 401)
            let own = try await bench.startEnrolment(ada)
            try await bench.openEnrolment(own)
            try await bench.judge(.approved)
            #expect(try await bench.disown(try bench.operation(planted).id.description, ada).status == .ok)
            #expect(try await bench.isEnrolled("ada@example.com"), "her own stays")
        }
    }

    @Test func `an enrolment survives a restart, and its verdict counts`() async throws {
        let folder = try TestFolder()
        let kept = Kept()
        let (time, provider) = (VirtualTime(), ScriptedFaceProvider(name: ProviderName("mock")))
        try await Bench.run(folder: folder, time: time, provider: provider) { bench in
            let ada = try await bench.signIn()
            try await bench.unenrol("ada@example.com")
            let started = try await bench.startEnrolment(ada)
            try await bench.openEnrolment(started)
            kept.put(ada.tokens.accessToken + " " + started.id)
        }
        try await Bench.run(folder: folder, time: time, seed: 2, provider: provider) { bench in
            let words = try #require(kept.claims).split(separator: " ")
            try await bench.judge(.approved)
            let answer = try await bench.send(
                .get,
                "/auth/biometric-enrollment/poll/\(words[1])",
                [.authorization: "Bearer \(words[0])"]
            )
            #expect(try answer.decode(PollLoginResponse.self).status == .completed, "\(answer.text)")
            #expect(try await bench.isEnrolled("ada@example.com"))
        }
    }

    @Test func `a poll waits for a change, and events tell of it, for its own session alone`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let bob = try await bench.signIn("bob@example.com")
            let started = try await bench.startEnrolment(ada)
            let events = "/auth/biometric-enrollment/events/\(started.id)"
            for wait in ["0", "31", "x"] {
                let response = try await bench.send(.get, started.pollPath + "?wait=\(wait)", ada.bearer)
                try bench.expect(response, is: "invalid_wait", 400)
            }
            try bench.expect(try await bench.send(.get, events, bob.bearer), is: "operation_not_found", 404)
            try bench.expect(try await bench.send(.get, events), is: "unauthorized", 401)
            async let waiting = bench.send(.get, started.pollPath + "?wait=30", ada.bearer)
            while bench.composition.service.cache.parkedCount == 0 { await Task.yield() }
            try await bench.openEnrolment(started)
            #expect(try await waiting.decode(PollLoginResponse.self).status == .pending)
            try await bench.judge(.approved)
            let stream = try await bench.send(.get, "/api" + events, ada.bearer)
            #expect(stream.headers[.contentType] == "text/event-stream")
            #expect(stream.text.contains(#""status":"completed"}"#))
            let seq = try bench.operation(started).seq
            let seen = ada.bearer.adding(.named("Last-Event-ID"), "\(seq)")
            #expect(try await bench.send(.get, events, seen).status == .noContent)
        }
    }

    @Test func `a poll that is too fast is told to slow down`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let started = try await bench.startEnrolment(ada)
            var last = try await bench.send(.get, started.pollPath, ada.bearer)
            for _ in 0..<25 where last.status == .ok {
                last = try await bench.send(.get, started.pollPath, ada.bearer)
            }
            #expect(last.status == .tooManyRequests)
            #expect(try last.json()["code"] as? String == "slow_down")
        }
    }

    @Test func `words of a sign-in are on no page and in no answer of an enrolment`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            var texts: [String] = []
            for verdict in [ScanStatus.rejected(.declined), .approved, .canceled] {
                let started = try await bench.startEnrolment(ada)
                let opened = try await bench.send(.post, started.landingPath, [.fetchSite: "same-origin"])
                try await bench.judge(verdict)
                let browser = HTTPFields.cookies(opened.cookie("vst_go"))
                texts.append(try await bench.send(.get, started.landingPath, browser).text)
                texts.append(try await bench.send(.get, started.pollPath, ada.bearer).text)
            }
            #expect(texts[0].contains("It was declined.") && texts[1].contains("It was declined."))
            for text in texts {
                #expect(!text.lowercased().contains("sign-in") && !text.lowercased().contains("signed in"), "\(text)")
                #expect(!text.lowercased().contains("signs you"), "\(text)")
            }
        }
    }

    @Test func `a provider that enrols nobody says so`() async throws {
        let provider = ScriptedFaceProvider(name: ProviderName("mock"), enrolsFaces: false)
        try await Bench.run(provider: provider) { bench in
            let ada = try await bench.signIn()
            let response = try await bench.send(.post, Bench.enrolPath, ada.bearer)
            try bench.expect(response, is: "enrollment_not_offered", 404)
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
