import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing
import Wire

@testable import Assembly

/// Whoever knows the id alone collects nothing.
struct ProofTests {
    @Test func `attack: with a wrong or no verifier an approved login polls pending, then expired, without tokens`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start(isChallenged: true)
            try await harness.approve(login)
            let wrong: [HTTPFields] = [
                [:], [.codeVerifier: ""], [.codeVerifier: String(repeating: "a", count: 43)],
                [.codeVerifier: Harness.verifier + "x"], [.codeVerifier: String(Harness.verifier.dropLast())],
                [.codeVerifier: Harness.challenge], [.codeVerifier: String(repeating: "a", count: 10_000)],
                login.bound,
            ]
            for headers in wrong { #expect(try await harness.word(login, headers) == "created") }
            #expect(try harness.operation(login).state.name == .approved, "and nothing was redeemed by it")
            #expect(try await harness.word(login, Harness.proof) == "completed")
            for headers in wrong { #expect(try await harness.word(login, headers) == "created") }
            await harness.pass(.seconds(174))
            for headers in wrong { #expect(try await harness.word(login, headers) == "expired") }
        }
    }

    @Test func `the verifier's holder gets the grant again until its window ends`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start(isChallenged: true)
            try await harness.approve(login)
            #expect(try await harness.word(login, Harness.proof) == "completed")
            await harness.pass(.seconds(119))
            #expect(try await harness.word(login, Harness.proof) == "completed")
            await harness.pass(.seconds(2))
            #expect(try await harness.word(login, Harness.proof) == "delivered")
        }
    }

    @Test func `attack: once polled with its cookie, a login is not collected without it`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            #expect(try await harness.word(login, login.bound) == "created")
            try await harness.approve(login)
            #expect(try await harness.word(login) == "created", "unproven from now on")
            #expect(try await harness.word(login, .cookies("vst_op_x=y")) == "created")
            let (name, other) = (login.cookie.prefix { $0 != "=" }, try await harness.start().cookie)
            let forged = "\(name)=\(other.drop { $0 != "=" }.dropFirst())"
            #expect(try await harness.word(login, .cookies(forged)) == "created", "another login's value")
            #expect(try await harness.word(login, login.bound) == "completed")
            #expect(try await harness.word(login) == "created")
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `attack: a login's binding to its cookie is kept over a restart`(_ storage: HarnessStorage) async throws {
        let (folder, time, provider) = (try TestFolder(), VirtualTime(), ScriptedFaceProvider(name: .init("mock")))
        let kept = Kept()
        try await Harness.run(storage: storage, folder: folder, time: time, provider: provider) { harness in
            let login = try await harness.start()
            // As the published app does it: nothing is written between its poll and the restart but the binding.
            try await harness.open(login)
            _ = try await harness.word(login, login.bound)
            await harness.watcher.keepBindings()
            kept.put(login)
        }
        try await Harness.run(storage: storage, folder: folder, time: time, seed: 2, provider: provider) { harness in
            let login = try #require(kept.login)
            try await harness.judge(.approved)
            #expect(try await harness.word(login) == "created")
            #expect(try await harness.word(login, login.bound) == "completed")
        }
    }

    @Test func `a client without cookies gets the grant again for 20 s, and its own kind alone`() async throws {
        try await Harness.run { harness in
            let app: HTTPFields = [.userAgent: "App/1"]
            let login = try await harness.start()
            try await harness.approve(login)
            let first = try await harness.poll(login, app)
            #expect(first.headers[.setCookie] == nil, "it keeps none")
            #expect(try first.decode(PollLoginResponse.self).tokens != nil)
            await harness.pass(.seconds(19))
            let second = try await harness.poll(login, app).decode(PollLoginResponse.self)
            #expect(second.refreshToken == (try first.decode(PollLoginResponse.self)).refreshToken)
            #expect(try await harness.word(login, [.userAgent: "Other/1"]) == "created", "another client sees nothing")
            await harness.pass(.seconds(2))
            #expect(try await harness.word(login, app) == "delivered")
        }
    }

    @Test func `attack: a login's cookie under a longer name or with a changed value does not collect it`() async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            _ = try await harness.word(login, login.bound)
            try await harness.approve(login)
            for header in ["x\(login.cookie)", "\(login.cookie)x", "a=\(login.cookie)", login.cookie + "%3B"] {
                #expect(try await harness.word(login, [.cookie: header]) == "created", "\(header)")
            }
            #expect(try await harness.word(login, [.cookie: "a=b; \(login.cookie); c=d"]) == "completed")
        }
    }
}
