import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Storage
import Testing
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// The way back to the app: `returnUrl`, the return code, and `requireReturn`.
struct ReturnTests {
    private static let url = "https://app.example.com/done?a=1"
    private static let scheme = "com.example.app:/done"

    @Test(arguments: [
        "https://app.example.com/done", "https://app.example.com/done?a=1&b=2", "https://APP.example.com/done?a=1",
        "https://app.example.com/done?a=1/", "https://evil.example.com/", "", "javascript:alert(1)",
        "https://app.example.com/done?a=1\u{0}",
    ])
    func `attack: only an address of the client's, byte for byte, is taken`(_ url: String) async throws {
        try await Self.run { bench in
            let body = #"{"email":"ada@example.com","returnUrl":"\#(url.replacing("\u{0}", with: "\\u0000"))"}"#
            try bench.expect(try await bench.post(Bench.initiatePath, body), is: "invalid_return_url", 400)
            #expect(bench.composition.desk.board.count == 0)
        }
    }

    @Test func `another client's address is refused`() async throws {
        try await Self.run { settings in
            var other = InitiateTests.client("other")
            other.returnURLs = ["https://other.example.com/"]
            settings.clients.append(other)
        } _: { bench in
            let body = #"{"email":"ada@example.com","returnUrl":"https://other.example.com/"}"#
            try bench.expect(try await bench.post(Bench.initiatePath, body), is: "invalid_return_url", 400)
        }
    }

    @Test func `the browser of the scan is sent on to the app with a code, once it is accepted`() async throws {
        try await Self.run { bench in
            for (url, expected) in [(Self.url, Self.url + "&code="), (Self.scheme, Self.scheme + "?code=")] {
                let login = try await bench.start(returning: url)
                let cookie = try #require(try await bench.open(login).cookie("vst_go"))
                let early = try await bench.comeBack(login, cookie)
                #expect(early.status == .ok && early.text.contains("Checking the scan"))
                #expect(early.text.contains(#"<meta http-equiv="refresh" content="2">"#))
                try await bench.judge(.approved)
                let answer = try await bench.comeBack(login, cookie)
                #expect(answer.status == .seeOther)
                let location = try #require(answer.headers[.location])
                #expect(location.hasPrefix(expected))
                #expect(Base64URL.decode(location.dropFirst(expected.count))?.count == 32)
                #expect(answer.headers[.cacheControl] == "no-store" && answer.headers[.referrerPolicy] == "no-referrer")
                #expect(try await bench.word(login, login.bound) == "completed", "this client does not insist on it")
            }
        }
    }

    @Test func `attack: another browser that comes back gets no code`() async throws {
        try await Self.run { bench in
            let login = try await bench.start(returning: Self.url)
            let first = try #require(try await bench.open(login).cookie("vst_go"))
            let second = try #require(try await bench.open(login).cookie("vst_go"))
            try await bench.judge(.approved)
            for cookie in [nil, first, "vst_go=" + String(repeating: "A", count: 43)] {
                let answer = try await bench.comeBack(login, cookie)
                // To the landing page, which tells it what it tells everybody.
                #expect(answer.status == .seeOther && answer.headers[.location]?.hasSuffix(login.landingPath) == true)
            }
            #expect(try await bench.comeBack(login, second).status == .seeOther)
        }
    }

    @Test func `a provider that returns is told where, and one that does not is told nothing`() async throws {
        for returns in [true, false] {
            let provider = ScriptedFaceProvider(name: ProviderName("mock"), returnsToUs: returns)
            try await Bench.run(provider: provider) { bench in
                let login = try await bench.start()
                try await bench.open(login)
                let expected = returns ? "http://localhost:8080/go/\(login.ticket)/return" : nil
                let request = ScanRequest(enrolment: "enrolment of ada", timeLeft: .seconds(180), returnTo: expected)
                #expect(provider.calls == [.begin(request)])
            }
        }
    }

    @Test func `with requireReturn only the code that the browser brought collects, and it does once`() async throws {
        try await Self.requiring { bench in
            let login = try await bench.start(returning: Self.url)
            let cookie = try #require(try await bench.open(login).cookie("vst_go"))
            try await bench.judge(.approved)
            #expect(try await bench.word(login, login.bound) == "processing", "approved, and not brought back")
            let stale = try await bench.code(login, cookie)
            let code = try await bench.code(login, cookie)
            for wrong in [stale, "x", String(repeating: "A", count: 43)] {
                #expect(try await bench.word(login, login.bound.adding(.returnCode, wrong)) == "processing")
            }
            #expect(try await bench.word(login, [.returnCode: code]) == "created", "the code alone is no proof")
            let body = #"{"returnCode":"\#(code)"}"#
            let answer = try await bench.post(login.pollPath, body, login.bound).decode(PollLoginResponse.self)
            #expect(answer.status == .completed && answer.tokens != nil)
            #expect(try bench.operation(login).binding.handback == Handback(url: Self.url), "the code is gone")
            #expect(try await bench.comeBack(login, cookie).headers[.location]?.hasSuffix(login.landingPath) == true)
        }
    }

    @Test func `attack: whoever forwards the provider's page has no code, and the approval runs out`() async throws {
        try await Self.requiring { bench in
            let login = try await bench.start(returning: Self.url)
            try await bench.open(login)
            try await bench.judge(.approved)
            for _ in 0..<3 { #expect(try await bench.word(login, login.bound) == "processing") }
            await bench.pass(.seconds(60))
            #expect(try await bench.word(login, login.bound) == "expired")
        }
    }

    @Test func `a client that insists on the return has to name where`() async throws {
        try await Self.requiring { bench in
            let response = try await bench.post(Bench.initiatePath, #"{"email":"ada@example.com"}"#)
            try bench.expect(response, is: "invalid_return_url", 400)
        }
    }

    @Test func `a code is kept as a digest, and outlives a restart`() async throws {
        let (folder, time, kept) = (try TestFolder(), VirtualTime(), Kept())
        try await Self.requiring(folder: folder, time: time) { bench in
            let login = try await bench.start(returning: Self.url)
            let cookie = try #require(try await bench.open(login).cookie("vst_go"))
            try await bench.judge(.approved)
            let code = try await bench.code(login, cookie)
            let stored = try await bench.composition.operations.find(row: try bench.operation(login).id)
            #expect(stored?.binding.handback?.code == Digest256(sha256: code))
            kept.put(login)
            kept.put(code)
        }
        try await Self.requiring(folder: folder, time: time, seed: 2) { bench in
            let login = try #require(kept.login)
            #expect(try await bench.word(login, login.bound) == "processing")
            let code = try #require(kept.claims)
            #expect(try await bench.word(login, login.bound.adding(.returnCode, code)) == "completed")
        }
    }

    private static func run(
        folder: TestFolder? = nil,
        time: VirtualTime = VirtualTime(),
        seed: UInt64 = 1,
        _ change: (inout Settings) -> Void = { _ in },
        _ body: @Sendable (Bench) async throws -> Void
    ) async throws {
        let provider = ScriptedFaceProvider(name: ProviderName("mock"), returnsToUs: true)
        try await Bench.run(folder: folder, time: time, seed: seed, provider: provider) { settings in
            settings.clients[0].returnURLs = [url, scheme]
            change(&settings)
        } _: { bench in
            try await body(bench)
        }
    }

    private static func requiring(
        folder: TestFolder? = nil,
        time: VirtualTime = VirtualTime(),
        seed: UInt64 = 1,
        _ body: @Sendable (Bench) async throws -> Void
    ) async throws {
        try await run(folder: folder, time: time, seed: seed) { settings in
            settings.clients[0].requireReturn = true
        } _: { bench in
            try await body(bench)
        }
    }
}

extension Bench {
    fileprivate func start(returning url: String) async throws -> StartedLogin {
        let response = try await post(Self.initiatePath, #"{"email":"ada@example.com","returnUrl":"\#(url)"}"#)
        try #require(response.status == .ok, "\(response.text)")
        let answer = try response.decode(InitiateLoginResponse.self)
        return StartedLogin(
            response: response,
            answer: answer,
            cookie: try #require(response.cookie("vst_op_")),
            ticket: String(try #require(answer.authIdUrl.split(separator: "/").last))
        )
    }

    fileprivate func comeBack(_ login: StartedLogin, _ cookie: String?) async throws -> TestResponse {
        try await send(.get, login.landingPath + "/return", cookie.map { .cookies($0) } ?? [:])
    }

    fileprivate func code(_ login: StartedLogin, _ cookie: String) async throws -> String {
        let location = try #require(try await comeBack(login, cookie).headers[.location])
        return String(location.drop { $0 != "&" }.dropFirst("&code=".count))
    }
}
