import Foundation
import HTTPTypes
import Hummingbird
import Kernel
import MockServing
import Testing

@testable import AuthIDMock

@Suite struct PageTests {
    private static func link(_ id: String, _ secret: String) -> String {
        "/?t=\(id)&s=\(PercentEncoding.component(secret))"
    }

    @Test func `the page shows the person, the time left and a button for each outcome`() async throws {
        try await Rig().serve { caller in
            let (caller, id, secret) = try await caller.withLogin(timeout: 75)
            let page = try await caller.call(.get, Self.link(id, secret))
            #expect(page.status == 200)
            #expect(page.text.contains("Anna Example"))
            #expect(page.text.contains("1:15"))
            for outcome in Outcome.allCases { #expect(page.text.contains(#"value="\#(outcome.rawValue)""#)) }
        }
    }

    @Test func `the page loads nothing from elsewhere and may post to itself`() async throws {
        try await Rig().serve { caller in
            let (caller, id, secret) = try await caller.withLogin()
            let page = try await caller.call(.get, Self.link(id, secret))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'") && policy.contains("form-action 'self'"))
            #expect(!policy.contains("unsafe") && !policy.contains("http"))
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(!page.text.contains("<style") && !page.text.contains("style=") && !page.text.contains("onclick"))
            for asset in ["page.css", "page.js", "icon.svg"] {
                #expect(try await caller.call(.get, "/_scan/\(asset)").status == 200)
            }
        }
    }

    @Test func `a button decides the scan and redirects to its result`() async throws {
        try await Rig().serve { caller in
            let (caller, id, secret) = try await caller.withLogin()
            let form = "t=\(id)&s=\(PercentEncoding.component(secret))&outcome=reject_liveness"
            let answer = try await caller.call(.post, "/", form)
            #expect(answer.status == 303)
            let location = try #require(answer.headers[.location])
            #expect(location == Self.link(id, secret))
            let result = try await caller.call(.get, location)
            #expect(result.text.contains("Liveness detection failed."))
            #expect(!result.text.contains("<form"))
            #expect(try await caller.loginStatus(id).int("Status") == 2)
            // The person presses again, or goes back and changes their mind: the verdict stays.
            _ = try await caller.call(.post, "/", "t=\(id)&s=\(PercentEncoding.component(secret))&outcome=accept")
            #expect(try await caller.loginStatus(id).int("Status") == 2)
        }
    }

    @Test func `a wrong or unencoded secret opens and decides nothing`() async throws {
        try await Rig().serve { caller in
            let (caller, id, secret) = try await caller.withLogin()
            for bad in [Self.link(id, "wrong"), "/?t=\(id)&s=\(secret)", "/?t=\(id)", "/?i=\(id)&s=\(secret)", "/?x=1"]
            {
                #expect(try await caller.call(.get, bad).status == 404)
            }
            #expect(try await caller.call(.post, "/", "t=\(id)&s=wrong&outcome=accept").status == 404)
            #expect(try await caller.call(.get, "/_scan/state?t=\(id)&s=wrong").status == 404)
            #expect(try await caller.loginStatus(id).int("Status") == 0)
        }
    }

    @Test func `an expired scan offers no buttons`() async throws {
        let rig = Rig()
        try await rig.serve { caller in
            let (caller, id, secret) = try await caller.withLogin(timeout: 20)
            rig.clock.advance(.seconds(20))
            let page = try await caller.call(.get, Self.link(id, secret))
            #expect(page.text.contains("Time ran out"))
            #expect(!page.text.contains("<form"))
            let state = try await caller.call(.get, "/_scan/state" + Self.link(id, secret).dropFirst())
            #expect(try state.string("status") == "expired")
        }
    }

    @Test func `an account's name can't become markup`() async throws {
        let rig = Rig()
        try rig.backend.with { state, _ in
            try state.createAccount(Account(number: "a", displayName: #"<script>"&'"#, email: "anna@example.com"))
        }
        let scan = try rig.login()
        try await rig.serve { caller in
            let page = try await caller.call(.get, Self.link(scan.id.description, scan.secret.expose()))
            #expect(page.text.contains("&lt;script&gt;&quot;&amp;&#39;"))
            #expect(!page.text.contains("<script>"))
        }
    }

    @Test(arguments: ["a+b/c=", "ä 100%", "~-._"])
    func `percent-encoding round-trips`(_ text: String) {
        #expect(PercentDecoding.decode(PercentEncoding.component(text)) == text)
    }

    @Test(arguments: ["%", "%2", "%zz", "%ff"])
    func `broken percent-encoding is refused`(_ text: String) {
        #expect(PercentDecoding.decode(text) == nil)
    }
}
