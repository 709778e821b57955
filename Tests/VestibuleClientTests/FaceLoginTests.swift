import Foundation
import Testing
import Wire

@testable import VestibuleClient

@Suite struct FaceLoginTests {
    @Test func `a login ends with tokens in the store`() async throws {
        let harness = try Harness(
            poll: [
                .answer(200, Answers.pending()), .answer(200, Answers.pending("link_opened", seq: 2)),
                .answer(200, Answers.completed),
            ])
        let signedIn = try await harness.signIn()
        #expect(signedIn.tokens.accessToken == "access-1")
        #expect(signedIn.tokens.refreshToken == "refresh-1")
        #expect(signedIn.tokens.expiresAt == VirtualTime.epoch.addingTimeInterval(6 + 900))
        #expect(signedIn.user?.name == "Ada")
        let stored = try await harness.store.load()
        #expect(stored.tokens == signedIn.tokens)
        #expect(stored.email == "ada@example.com")
        #expect(harness.opened.all == [URL(string: "https://login.example.com/go/ticket")])
    }

    @Test func `polls keep the interval of the server and follow it when it changes`() async throws {
        let harness = try Harness(
            initiate: [.answer(200, Answers.initiate(interval: 3))],
            poll: [
                .answer(200, Answers.pending(interval: 3)), .answer(200, Answers.pending(interval: 7)),
                .answer(200, Answers.pending(interval: nil)), .answer(200, Answers.completed),
            ]
        )
        _ = try await harness.signIn()
        #expect(harness.transport.calls(.poll).map(\.at.seconds) == [3, 6, 13, 20])
    }

    @Test(arguments: [(0, 2.0), (-4, 2.0), (90, 30.0)])
    func `an interval out of range is clamped`(wire: Int, seconds: Double) async throws {
        let harness = try Harness(
            initiate: [.answer(200, Answers.initiate(interval: wire))],
            poll: [.answer(200, Answers.completed)]
        )
        _ = try await harness.signIn()
        #expect(harness.transport.calls(.poll).map(\.at.seconds) == [seconds])
    }

    @Test func `progress is reported once per change and in order`() async throws {
        let harness = try Harness(
            poll: [
                .answer(200, Answers.pending()), .answer(200, Answers.pending()),
                .answer(200, Answers.pending("link_opened")), .answer(200, Answers.pending("user_in_provider")),
                .answer(200, Answers.pending("provider_degraded")), .answer(200, Answers.pending("provider_degraded")),
                .answer(200, Answers.pending("user_in_provider")), .answer(200, Answers.pending("reading_the_stars")),
                .answer(200, Answers.completed),
            ])
        let signedIn = try await harness.signIn()
        let page = try #require(URL(string: "https://login.example.com/go/ticket"))
        #expect(
            harness.reported.all == [
                .started(FaceLogin.Started(page: page, number: nil, lifetime: .seconds(180))),
                .waiting(.created), .waiting(.linkOpened), .waiting(.userInProvider), .degraded(.provider),
                .waiting(.userInProvider), .waiting(.unknown("reading_the_stars")), .completed(signedIn),
            ]
        )
    }

    @Test func `the stream carries progress and ends`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.pending()), .answer(200, Answers.completed)])
        var seen: [FaceLogin.Progress] = []
        for try await progress in harness.login.signIn(email: "ada@example.com", open: { _ in true }) {
            seen.append(progress)
        }
        #expect(seen.count == 3)
        guard case .completed(let signedIn) = seen.last else {
            Issue.record("no completion")
            return
        }
        #expect(try await harness.store.load().tokens == signedIn.tokens)
    }

    @Test func `the stream throws a typed error`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.failed("declined"))])
        await #expect(
            throws: FaceLoginError.authenticationFailed(
                FaceLogin.Failure(code: .declined, message: "Said the server.", retryable: true)
            )
        ) {
            for try await _ in harness.login.signIn(email: "ada@example.com", open: { _ in true }) {}
        }
    }

    @Test func `a verifier is sent with every request and its challenge ahead of it`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.pending()), .answer(200, Answers.completed)])
        _ = try await harness.signIn()
        let initiate = try #require(harness.transport.calls(.initiate).first)
        let sent = try JSONDecoder().decode(InitiateLoginRequest.self, from: #require(initiate.request.body))
        let verifiers = Set(
            (harness.transport.calls(.poll) + harness.transport.calls(.ack)).map { $0.header("X-Code-Verifier") }
        )
        let verifier = try #require(verifiers.first ?? nil)
        #expect(verifiers.count == 1)
        #expect(verifier.utf8.count == 43)
        #expect(sent.codeChallenge == CodeVerifier(text: verifier).challenge)
        #expect(sent.codeChallengeMethod == "S256")
        #expect(initiate.header("X-Code-Verifier") == nil)
        #expect(sent.mode == nil)
    }

    @Test func `no verifier is sent where the app turns it off`() async throws {
        let harness = try Harness(
            poll: [.answer(200, Answers.completed)],
            options: FaceLogin.Options(clientID: "bbms", sendsVerifier: false)
        )
        _ = try await harness.signIn()
        let body = try #require(harness.transport.calls(.initiate).first?.request.body)
        #expect(
            try JSONDecoder().decode(InitiateLoginRequest.self, from: body)
                == InitiateLoginRequest(email: "ada@example.com", clientId: "bbms")
        )
        #expect(harness.transport.calls.allSatisfy { $0.header("X-Code-Verifier") == nil })
    }

    @Test func `the number for another device reaches the app`() async throws {
        let harness = try Harness(
            initiate: [.answer(200, Answers.initiate(number: "42"))],
            poll: [.answer(200, Answers.completed)],
            options: FaceLogin.Options(mode: .crossDevice)
        )
        _ = try await harness.signIn()
        let body = try #require(harness.transport.calls(.initiate).first?.request.body)
        #expect(try JSONDecoder().decode(InitiateLoginRequest.self, from: body).mode == "cross-device")
        guard case .started(let started) = harness.reported.all.first else {
            Issue.record("not started")
            return
        }
        #expect(started.number == "42")
    }

    @Test func `flat tokens and unknown members are read as well`() async throws {
        let flat = #"""
            {"status":"completed","seq":5,"accessToken":"a","refreshToken":"r","expiresIn":60,"tokenType":"Bearer",
             "user":null,"moon":{"phase":[1,2]}}
            """#
        let harness = try Harness(poll: [.answer(200, flat)])
        let signedIn = try await harness.signIn()
        #expect(signedIn.tokens.accessToken == "a")
        #expect(signedIn.user == nil)
    }

    @Test(arguments: ["https://login.example.com", "https://login.example.com/", "https://login.example.com//"])
    func `the base URL may end with a slash`(server: String) async throws {
        let harness = try Harness(poll: [.answer(200, Answers.completed)], server: server)
        _ = try await harness.signIn()
        #expect(
            harness.transport.calls.map(\.request.url.absoluteString) == [
                "https://login.example.com/auth/biometric-login/initiate",
                "https://login.example.com/auth/biometric-login/poll/\(Answers.operation)",
                "https://login.example.com/auth/biometric-login/ack/\(Answers.operation)",
            ]
        )
    }

    @Test func `a page that is not safe to open is not opened`() async throws {
        for page in [
            "http://login.example.com/go/x", "javascript:alert(1)", "https://u:p@example.com/", "", "file:///etc",
        ] {
            let harness = try Harness(initiate: [.answer(200, Answers.initiate(page: page))], poll: [])
            #expect(await harness.failure() == .invalidURL(.page))
            #expect(harness.opened.all.isEmpty)
            #expect(harness.transport.calls(.cancel).count == 1)
        }
    }

    @Test func `a page that could not be opened ends the login at the server too`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.pending())])
        #expect(await harness.failure(opens: false) == .cannotOpenPage)
        #expect(harness.transport.calls(.poll).isEmpty)
        #expect(harness.transport.calls(.cancel).count == 1)
    }
}
