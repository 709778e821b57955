import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// The landing page after the scan has begun: its progress, its stream, and its outcome.
struct ScanProgressTests {
    private static let other = "vst_go=" + String(repeating: "A", count: 43)

    private static func now(_ page: TestResponse) -> String? {
        page.text.firstMatch(of: #/<li aria-current="step">([^<]+)</#).map { String($0.1) }
    }

    @Test(.alsoSpread) func `the browser that said yes sees each step, and then the outcome`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            let look = { try await harness.send(.get, login.landingPath, .cookies(cookie)) }
            let scanning = try await look()
            #expect(scanning.status == .ok && Self.now(scanning) == "Show your face")
            #expect(scanning.headers[.cacheControl] == "no-store" && scanning.headers[.setCookie] == nil)
            #expect(!scanning.text.contains("provider.example.com"), "the scan's address is only behind the press")
            try await harness.judge(.pending(.processing))
            #expect(Self.now(try await look()) == "The scan is being checked")
            try await harness.judge(.approved)
            let end = try await look()
            #expect(end.text.contains("The scan was accepted") && !end.text.contains("http-equiv=\"refresh\""))
        }
    }

    @Test(.alsoSpread) func `the page leads to the same scan again, and not to a new one`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let first = try await harness.open(login)
            let cookie = try #require(first.cookie("vst_go"))
            let page = try await harness.send(.get, login.landingPath, .cookies(cookie))
            let form = #"<form id="again" method="post" action="\#(login.ticket)">"#
            #expect(page.text.contains(form) && page.text.contains("Open the scan again"))
            #expect(try await harness.open(login, browser: cookie).headers[.location] == first.headers[.location])
            #expect(harness.provider.beginCount == 1)
        }
    }

    @Test func `without scripts the page loads itself again, less often the longer it takes`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            var seconds: [Int] = []
            for wait in [0, 70, 100] {
                await harness.pass(.seconds(wait))
                let page = try await harness.send(.get, login.landingPath, .cookies(cookie))
                let found = page.text.firstMatch(of: #/<noscript><meta http-equiv="refresh" content="(\d+)">/#)
                seconds.append(try #require(found.flatMap { Int($0.1) }))
                #expect(page.text.contains("Check now"))
            }
            #expect(seconds == [3, 6, 6])
            await harness.pass(.seconds(15))
            let end = try await harness.send(.get, login.landingPath, .cookies(cookie))
            #expect(end.text.contains("not finished in time") && !end.text.contains("refresh"), "it ends")
        }
    }

    // T-038
    @Test func `the page loads only this server's scripts, and its policy has the provider for its form`() async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            let page = try await harness.send(.get, login.landingPath, .cookies(cookie))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("script-src 'self'") && policy.contains("connect-src 'self'"))
            #expect(policy.contains("form-action 'self' https://provider.example.com") && !policy.contains("unsafe"))
            let module = try #require(page.text.firstMatch(of: #/src="\.\.(\/assets\/[^"]+)"/#)).1
            #expect(try await harness.send(.get, String(module)).status == .ok)
        }
    }

    @Test func `a page that asked before does not ask twice, and still takes "this wasn't me"`() async throws {
        try await Harness.run {
            $0.faceLogin.landing = .confirm
        } _: { harness in
            let login = try await harness.start()
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            let page = try await harness.send(.get, login.landingPath, .cookies(cookie))
            #expect(!page.text.contains("Is this you?") && page.text.contains("This wasn’t me"))
            #expect(try await harness.send(.get, login.landingPath).text.contains("Is this you?"), "any other browser")
            let denied = try await harness.send(
                .post,
                login.landingPath + "/not-me",
                HTTPFields.cookies(cookie).adding(.fetchSite, "same-origin")
            )
            #expect(denied.text.contains("The sign-in has been stopped"))
        }
    }

    @Test func `attack: another browser, and one that lost its cookie, see the page of a login that nobody opened`()
        async throws
    {
        for landing in [LandingPolicy.Step.redirect, .confirm] {
            try await Harness.run {
                $0.faceLogin.landing = landing
            } _: { harness in
                let login = try await harness.start()
                let look = { (cookie: String?) in
                    let headers: HTTPFields = cookie.map { .cookies($0) } ?? [:]
                    return try await harness.send(.get, login.landingPath, headers).text
                }
                let before = try await look(nil)
                try await harness.open(login)
                for cookie in [nil, Self.other] { #expect(try await look(cookie) == before) }
                try await harness.judge(.rejected(.notMatched))
                for cookie in [nil, Self.other] { #expect(try await look(cookie).contains("no longer valid")) }
            }
        }
    }

    @Test func `the stream has an event for every step, and ends with the outcome`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            async let stream = harness.send(.get, login.landingPath + "/events", .cookies(cookie))
            try await WaitTests.parked(harness, 1)
            try await harness.judge(.pending(.processing))
            try await WaitTests.parked(harness, 1)
            try await harness.judge(.approved)
            let answer = try await stream
            #expect(answer.status == .ok && answer.headers[.contentType] == "text/event-stream")
            let text = answer.text
            #expect(text.contains("\"hint\":\"user_in_provider\"") && text.contains("\"hint\":\"processing\""))
            #expect(text.hasSuffix(",\"status\":\"completed\"}\n\n"))
            for secret in ["accessToken", "user\":", "eyJ", "provider.example.com"] { #expect(!text.contains(secret)) }
            #expect(try harness.operation(login).state.name == .approved, "a browser collects nothing")
            #expect(try await harness.word(login, login.bound) == "completed")
            let late = try await harness.send(.get, login.landingPath + "/events", .cookies(cookie))
            #expect(late.status == .ok && late.text.contains("completed"), "also after the collection")
        }
    }

    @Test(.alsoSpread) func `the stream tells a failure with its reason`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            async let stream = harness.send(.get, login.landingPath + "/events", .cookies(cookie))
            try await WaitTests.parked(harness, 1)
            try await harness.judge(.rejected(.notMatched))
            // With several daemons, the others hear of it with the next request.
            try await harness.send(.get, "/livez")
            #expect(try await stream.text.contains("\"code\":\"not_matched\""))
        }
    }

    // T-027
    @Test func `attack: the stream is closed to everybody without the cookie of the scan, decoys included`()
        async throws
    {
        try await Harness.run { harness in
            let real = try await harness.start()
            let cookie = try #require(try await harness.open(real).cookie("vst_go"))
            let decoy = try await harness.start("nobody@example.com")
            try await harness.open(decoy)
            let untouched = try await harness.start("bob@example.com")
            let nobodys = "/go/" + String(repeating: "A", count: 43)
            var bodies: Set<String> = []
            let paths = [real, decoy, untouched].map(\.landingPath) + [nobodys, "/go/x"]
            for path in paths {
                for headers in [[:], HTTPFields.cookies(Self.other), real.bound] {
                    let answer = try await harness.send(.get, path + "/events", headers)
                    try harness.expect(answer, is: "operation_not_found", 404)
                    let id = answer.headers[.requestID] ?? "-"
                    bodies.insert("\(answer.headerNames) \(answer.text.replacing(id, with: "I"))")
                }
            }
            for path in [decoy.landingPath, untouched.landingPath] {
                let answer = try await harness.send(.get, path + "/events", .cookies(cookie))
                try harness.expect(answer, is: "operation_not_found", 404)
            }
            #expect(bodies.count == 1, "\(bodies)")
        }
    }

    @Test func `the stream of a browser ends when another one begins the scan, and is closed to it then`() async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            let first = try #require(try await harness.open(login).cookie("vst_go"))
            async let stream = harness.send(.get, login.landingPath + "/events", .cookies(first))
            try await WaitTests.parked(harness, 1)
            let second = try #require(try await harness.open(login).cookie("vst_go"))
            let text = try await stream.text
            #expect(!text.contains("completed") && !text.contains("failed"))
            try await harness.judge(.rejected(.notMatched))
            let closed = try await harness.send(.get, login.landingPath + "/events", .cookies(first))
            try harness.expect(closed, is: "operation_not_found", 404)
            let told = try await harness.send(.get, login.landingPath + "/events", .cookies(second))
            #expect(told.text.contains("not_matched"))
        }
    }

    @Test func `a browser has one stream: the second one ends the first, and the app's polls stay`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            async let poll = harness.send(.get, login.pollPath + "?wait=30", login.bound)
            async let first = harness.send(.get, login.landingPath + "/events", .cookies(cookie))
            try await WaitTests.parked(harness, 2)
            async let second = harness.send(.get, login.landingPath + "/events", .cookies(cookie))
            #expect(try await !first.text.contains("completed"))
            try await WaitTests.parked(harness, 2)
            try await harness.judge(.approved)
            #expect(try await second.text.contains("completed"))
            #expect(try await poll.text.contains("accessToken"))
        }
    }

    // T-237
    @Test(.ofOneDaemon(.countedByEach))
    func `attack: streams beyond the login's budget get 429, and the app's own polls do not`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            try await harness.judge(.rejected(.notMatched))
            var refused = 0
            for _ in 0..<60 {
                let answer = try await harness.send(.get, login.landingPath + "/events", .cookies(cookie))
                if answer.status == .tooManyRequests { refused += 1 }
            }
            #expect(refused > 0)
            #expect(try await harness.poll(login, login.bound).status == .ok)
        }
    }

    @Test func `a browser that the provider sends back without an app to go to sees the progress`() async throws {
        let provider = ScriptedFaceProvider(name: ProviderName("mock"), returnsToUs: true)
        try await Harness.run(provider: provider) { harness in
            let login = try await harness.start()
            let cookie = try #require(try await harness.open(login).cookie("vst_go"))
            let path = try harness.returnPath()
            let headers = HTTPFields.cookies(cookie).adding(.fetchSite, "same-origin")
            let back = try await harness.send(.post, path, headers)
            #expect(back.status == .seeOther && back.headers[.location] == "../../\(login.ticket)")
            try await harness.judge(.approved)
            #expect(try await harness.send(.post, path, headers).text.contains("The scan was accepted"))
        }
    }

    // T-024
    @Test func `attack: a cookie of a scan that another site of the domain has tossed in is asked like any other`()
        async throws
    {
        try await Harness.run {
            $0.publicURL = "https://login.example.com"
            $0.faceLogin.landing = .confirm
        } _: { harness in
            let login = try await harness.start()
            let opened = try await harness.open(login)
            let tossed = try #require(opened.cookie("vst_go="))
            let companion = try #require(opened.cookie("__Host-vst_go="))
            #expect(opened.setCookie("__Host-vst_go=")?.contains("; Path=/; ") == true)
            let own = try await harness.send(.get, login.landingPath, .cookies(tossed, companion))
            #expect(Self.now(own) == "Show your face")
            for cookies in [tossed, tossed + "; __Host-vst_go=" + String(repeating: "A", count: 43)] {
                let page = try await harness.send(.get, login.landingPath, .cookies(cookies))
                #expect(page.text.contains("Is this you?") && Self.now(page) == nil)
                let stream = try await harness.send(.get, login.landingPath + "/events", .cookies(cookies))
                try harness.expect(stream, is: "operation_not_found", 404)
            }
        }
    }
}
