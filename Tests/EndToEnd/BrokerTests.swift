import Foundation
import Outbound
import Testing

extension EndToEnd {
    /// The daemon between an app that can keep no secret and an upstream that wants one: every branch of the way.
    @Suite struct Brokers {
        struct Tokens: Decodable, Sendable {
            let accessToken: String
            let refreshToken: String
            let tokenType: String
            let expiresIn: Int

            enum CodingKeys: String, CodingKey {
                case accessToken = "access_token"
                case refreshToken = "refresh_token"
                case tokenType = "token_type"
                case expiresIn = "expires_in"
            }
        }

        struct Refusal: Decodable {
            let error: String
        }

        struct SignInNeeded: Decodable {
            let code: String
            let redirectUrl: String
        }

        /// A daemon with an upstream, and a person's app.
        struct Scene: Sendable {
            let fixture: Fixture
            let upstream: UpstreamProgram

            private var daemon: Daemon { fixture.daemon }

            func data(_ token: String?, within limit: Duration = .seconds(20)) async throws -> WebClient.Reply {
                let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
                return try await fixture.web.send(.get, daemon.url + "/api/data", headers, within: limit)
            }

            func token(_ parameters: String) async throws -> WebClient.Reply {
                try await fixture.web.send(.post, "\(daemon.url)/token?client_id=myvoo&\(parameters)")
            }

            func refresh(_ token: String) async throws -> WebClient.Reply {
                let parameters = "client_id=myvoo&grant_type=refresh_token&refresh_token=\(token)"
                return try await fixture.web.send(.post, "\(daemon.url)/token/refresh?\(parameters)")
            }

            /// Signs in as the seed draws it: the app knows the upstream's address, and hands us the code.
            func signInDirectly(as person: String = "ada") async throws -> Tokens {
                let query =
                    "response_type=code&client_id=mock-client&state=s&redirect_uri=myapp.scheme.demo%3A%2F%2Fcode_callback"
                let back = try upstream.signIn(query, as: person)
                let code = try #require(parameter("code", of: back))
                return try await token("grant_type=authorization_code&code=\(code)").json()
            }
        }

        /// Runs `play` with a daemon whose client `myvoo` has the mock for its upstream.
        private static func run(
            _ settings: [String] = [],
            _ play: @escaping @Sendable (Scene) async throws -> Void
        ) async throws {
            try await WebClient.use { web in
                let upstream = try await UpstreamProgram.start(web)
                do {
                    try await Fixture.run(upstream.settings + settings, within: .seconds(240)) { fixture in
                        let callback = "http://localhost:\(fixture.daemon.port)/oauth/upstream/callback"
                        try await upstream.allow([UpstreamProgram.app, callback])
                        try await play(Scene(fixture: fixture, upstream: upstream))
                    }
                } catch {
                    await upstream.program.destroy()
                    throw error
                }
                await upstream.program.destroy()
            }
        }

        @Test func `an app without a token is told where to sign in, and gets its data in the end`() async throws {
            try await Self.run { scene in
                let needed = try await scene.data(nil)
                #expect(needed.status == 401)
                #expect(needed.header("WWW-Authenticate") == "Bearer")
                let signIn = try needed.json(SignInNeeded.self)
                #expect(signIn.code == "unauthorized")
                #expect(parameter("redirect_uri", of: signIn.redirectUrl) == UpstreamProgram.app)
                var browser = RedirectedBrowser(port: scene.fixture.daemon.port)
                let departed = try browser.get("/authorize?" + query(of: signIn.redirectUrl))
                let toUpstream = try #require(departed.location)
                #expect(toUpstream.hasPrefix(scene.upstream.url + "/authorize?"))
                #expect(parameter("client_id", of: toUpstream) == "mock-client")
                #expect(parameter("code_challenge_method", of: toUpstream) == "S256")
                #expect(!toUpstream.contains("myapp"))
                let back = try scene.upstream.signIn(query(of: toUpstream), as: "ada")
                let arrived = try browser.get("/oauth/upstream/callback?" + query(of: back))
                let toApp = try #require(arrived.location)
                #expect(toApp.hasPrefix(UpstreamProgram.app + "?"))
                #expect(parameter("state", of: toApp) == parameter("state", of: signIn.redirectUrl))
                let code = try #require(parameter("code", of: toApp))
                #expect(code != parameter("code", of: back))
                let grant = "grant_type=authorization_code&code=\(code)"
                let reply = try await scene.token(grant + "&client_secret=wrong")
                #expect(reply.status == 400, "a secret has no place in an address")
                let good = try await scene.token(grant)
                #expect(good.header("Cache-Control") == "no-store")
                #expect(!good.text.contains("id_token"))
                let tokens: Tokens = try good.json()
                let data = try await scene.data(tokens.accessToken)
                #expect(data.status == 200)
                #expect(data.text.contains(#""person":"4711""#))
                let again = try await scene.token(grant)
                #expect(again.status == 400)
                #expect(try again.json(Refusal.self).error == "invalid_grant")
                // Redeemed with the verifier that only we know, and the secret.
                let sent = try await scene.upstream.seen().lastTokenParameters
                #expect(sent == ["client_id", "client_secret", "code", "code_verifier", "grant_type", "redirect_uri"])
            }
        }

        // T-195
        @Test func `a return from the upstream in another browser gets 410 and spoils nothing`() async throws {
            try await Self.run { scene in
                var browser = RedirectedBrowser(port: scene.fixture.daemon.port)
                let request =
                    "response_type=code&client_id=myvoo&state=s&redirect_uri=myapp.scheme.demo%3A%2F%2Fcode_callback"
                let departed = try browser.get("/authorize?" + request)
                let toUpstream = try #require(departed.location)
                let back = try scene.upstream.signIn(query(of: toUpstream), as: "ada")
                let address = "/oauth/upstream/callback?" + query(of: back)
                var other = RedirectedBrowser(port: scene.fixture.daemon.port)
                let refused = try other.get(address)
                #expect(refused.status == "410")
                #expect(refused.location == nil)
                let arrived = try browser.get(address)
                #expect(arrived.location?.hasPrefix(UpstreamProgram.app) == true)
                let again = try browser.get(address)
                #expect(again.status == "410", "and once")
            }
        }

        @Test func `the way back is in the language that the request asked for, and the next one's in its own`()
            async throws
        {
            try await Self.run { scene in
                var browser = RedirectedBrowser(port: scene.fixture.daemon.port)
                let request =
                    "response_type=code&client_id=myvoo&state=s&redirect_uri=myapp.scheme.demo%3A%2F%2Fcode_callback"
                _ = try browser.get("/authorize?" + request + "&ui_locales=tlh%20fr")
                let over = try browser.get("/oauth/upstream/callback?state=nobodys&code=x")
                #expect(over.status == "410" && over.language == "fr")
                _ = try browser.get("/authorize?" + request)
                let next = try browser.get("/oauth/upstream/callback?state=nobodys&code=x")
                #expect(next.status == "410" && next.language == "en")
            }
        }

        @Test func `as the seed draws it, the app hands over the code in the query and no log has it`() async throws {
            try await Self.run(["log.access=true", "log.level=debug"]) { scene in
                let query =
                    "response_type=code&client_id=mock-client&state=s&redirect_uri=myapp.scheme.demo%3A%2F%2Fcode_callback"
                let code = try #require(parameter("code", of: try scene.upstream.signIn(query, as: "ada")))
                let tokens: Tokens = try await scene.token("grant_type=authorization_code&code=\(code)").json()
                let renewed: Tokens = try await scene.refresh(tokens.refreshToken).json()
                #expect(try await scene.data(renewed.accessToken).status == 200)
                let log = try #require(scene.fixture.daemon.program?.log.tail(100_000))
                #expect(log.contains("/token/refresh"))
                for secret in [
                    code, tokens.refreshToken, tokens.accessToken, renewed.accessToken, UpstreamProgram.secret,
                ] {
                    #expect(!log.contains(secret))
                }
            }
        }

        @Test func `a refresh token works once, here as there`() async throws {
            try await Self.run { scene in
                let tokens = try await scene.signInDirectly()
                #expect(try await scene.refresh(tokens.refreshToken).status == 200)
                let second = try await scene.refresh(tokens.refreshToken)
                #expect(second.status == 400)
                #expect(try second.json(Refusal.self).error == "invalid_grant")
                let seen = try await scene.upstream.seen()
                #expect(seen.counts["refresh"] == 2)
                #expect(seen.lastTokenParameters == ["client_id", "client_secret", "grant_type", "refresh_token"])
            }
        }

        @Test func `parameters are in the query or in the body, and never in both`() async throws {
            try await Self.run { scene in
                let tokens = try await scene.signInDirectly()
                let form = "client_id=myvoo&grant_type=refresh_token&refresh_token=\(tokens.refreshToken)"
                let url = scene.fixture.daemon.url + "/token/refresh"
                let both = try await scene.fixture.web.send(.post, url + "?" + form, form: form)
                #expect(both.status == 400)
                #expect(try both.json(Refusal.self).error == "invalid_request")
                let body = try await scene.fixture.web.send(.post, url, form: form)
                #expect(body.status == 200)
            }
        }

        @Test func `a person without access to the data is told so, and one with a closed account signs in again`()
            async throws
        {
            try await Self.run { scene in
                let ben = try await scene.signInDirectly(as: "ben")
                let forbidden = try await scene.data(ben.accessToken)
                #expect(forbidden.status == 403)
                #expect(forbidden.text.contains("data_not_allowed"))
                let cleo = try await scene.signInDirectly(as: "cleo")
                #expect(try await scene.data(cleo.accessToken).status == 401)
                #expect(try await scene.upstream.seen().counts["data"] == 1)
            }
        }

        /// A fault, and what the app is told.
        struct Branch: Sendable {
            let target: String
            let fault: String
            let status: Int
        }

        @Test func `each fault of the lookup and of the data has its answer, and is over when it is over`() async throws
        {
            let outages = ["down", "slow", "hang", "truncate", "reset"]
            var branches = ["lookup", "data"].flatMap { target in
                outages.map { Branch(target: target, fault: $0, status: 503) }
                    + ["garbage", "redirect"].map { Branch(target: target, fault: $0, status: 502) }
            }
            branches += ["expired", "inactive"].map { Branch(target: "lookup", fault: $0, status: 401) }
            branches.append(Branch(target: "data", fault: "forbidden", status: 403))
            let all = branches
            try await Self.run(["upstreams.ates.timeout=5s", "upstreams.ates.lookup.keepFor=0s"]) { scene in
                let tokens = try await scene.signInDirectly()
                for branch in all {
                    try await scene.upstream.fail(branch.target, branch.fault, ms: 30_000)
                    let reply = try await scene.data(tokens.accessToken)
                    #expect(reply.status == branch.status, "\(branch): \(reply)")
                    if branch.status == 401 { #expect(reply.text.contains("redirectUrl")) }
                    if branch.status == 503 { #expect(reply.header("Retry-After") == "5") }
                    try await scene.upstream.recover()
                    try await eventually("data after \(branch)") {
                        try await scene.data(tokens.accessToken).status == 200
                    }
                }
            }
        }

        @Test func `each fault of the upstream's token endpoint has its status and OAuth error`() async throws {
            let branches = [
                ("down", 503, "temporarily_unavailable"), ("slow", 503, "temporarily_unavailable"),
                ("reset", 503, "temporarily_unavailable"), ("garbage", 502, "server_error"),
                ("redirect", 502, "server_error"), ("expired", 400, "invalid_grant"),
            ]
            try await Self.run(["upstreams.ates.timeout=5s"]) { scene in
                for (fault, status, error) in branches {
                    try await scene.upstream.fail("refresh", fault, ms: 30_000, count: 1)
                    let reply = try await scene.refresh("any")
                    #expect(reply.status == status, "\(fault): \(reply)")
                    #expect(try reply.json(Refusal.self).error == error)
                }
            }
        }

        @Test func `a wrong client secret of the server is not the app's error`() async throws {
            try await Self.run(["upstreams.ates.clientSecret=another"]) { scene in
                let reply = try await scene.refresh("any")
                #expect(reply.status == 500)
                #expect(try reply.json(Refusal.self).error == "server_error")
                let program = try #require(scene.fixture.daemon.program)
                try await eventually("the cause in the log") { program.log.tail(100_000).contains("invalid_client") }
            }
        }

        @Test func `thirty requests at one time are one lookup, and later ones none`() async throws {
            try await Self.run(["upstreams.ates.timeout=60s"]) { scene in
                let tokens = try await scene.signInDirectly()
                try await scene.upstream.fail("lookup", "slow", ms: 4000)
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<30 {
                        group.addTask { try await scene.data(tokens.accessToken, within: .seconds(120)).status }
                    }
                    return try await group.reduce(into: [Int]()) { $0.append($1) }
                }
                #expect(statuses == Array(repeating: 200, count: 30))
                #expect(try await scene.data(tokens.accessToken).status == 200)
                #expect(try await scene.upstream.seen().counts["lookup"] == 1)
            }
        }

        @Test func `an upstream that is not there is an outage, and no other server is asked`() async throws {
            try await Self.run { scene in
                let tokens = try await scene.signInDirectly()
                await scene.upstream.program.destroy()
                #expect(try await scene.data(tokens.accessToken).status == 503)
                #expect(try await scene.refresh(tokens.refreshToken).status == 503)
                #expect(try await scene.data(nil).status == 401)
            }
        }
    }
}
