import Crypto
import Foundation
import Kernel
import Outbound
import Testing
import TokenForgeries
import Wire

extension EndToEnd.Clusters {
    /// A proof, an assertion and a code, each sent to every daemon at one moment.
    enum OneTimeUses {
        static let callback = "https://client.example.com/callback"
        private static let person = "accept+50ms+once@example.com"
        static let people = [person]
        /// The requests to each daemon.
        private static let copies = 2
        private static let maker = DPoPMaker()

        static func play(_ cluster: Cluster) async throws {
            try await useProof(cluster)
            try await useAssertion(cluster)
            try await useCode(cluster)
        }

        private static func useProof(_ cluster: Cluster) async throws {
            let login = try await cluster.app(0).begin(person, withVerifier: true)
            let tokens: LoginTokens = try await eventually("the tokens") {
                var app = cluster.app(1)
                app.headers["DPoP"] = try proof("GET", "/auth/biometric-login/poll/\(login.id)")
                return try await app.poll(login).tokens
            }
            #expect(tokens.tokenType == "DPoP")
            let headers = [
                "Authorization": "Bearer \(tokens.refreshToken)", "DPoP": try proof("POST", "/auth/refresh"),
            ]
            let replies = try await cluster.atOnce(copies: copies) { web, url in
                try await web.send(.post, "\(url)/auth/refresh", headers)
            }
            #expect(replies.map(\.status).sorted() == [200, 400, 400, 400, 400, 400], "\(replies)")
            #expect(replies.count { $0.text.contains("invalid_dpop_proof") } == 5, "\(replies)")
        }

        private static func proof(_ method: String, _ path: String) throws -> String {
            let now = Instant(seconds: Int64(Date().timeIntervalSince1970))
            return try maker.signed(
                DPoPMaker.claims(method, Cluster.origin + path, at: now, id: UUID().uuidString)
            )
        }

        /// An assertion of a client that one daemon has added, and the others have heard of.
        private static func useAssertion(_ cluster: Cluster) async throws {
            let keys = try cluster.folder.write("client-keys.json", #"{"keys":[{\#(maker.members)}]}"#)
            try await cluster.daemons[2].order([
                "clients", "add", "--id", "signing", "--auth", "private-key-jwt", "--keys", keys, "--redirect-uri",
                callback,
            ])
            struct Discovery: Decodable { let issuer: String }
            let discovery = "\(cluster.daemons[0].url)/.well-known/openid-configuration"
            let issuer = try await cluster.web.send(.get, discovery).json(Discovery.self).issuer
            for daemon in cluster.daemons {
                try await eventually("a daemon that knows the client", within: .seconds(20)) {
                    try await error(of: refresh(by: assertion(issuer), cluster.web, daemon.url)) == "invalid_grant"
                }
            }
            let shown = try assertion(issuer)
            let errors = try await cluster.atOnce(copies: copies) { web, url in
                try await refresh(by: shown, web, url)
            }
            .map { try error(of: $0) }
            #expect(errors.count { $0 == "invalid_grant" } == 1 && errors.count { $0 == "invalid_client" } == 5)
        }

        private static func assertion(_ issuer: String) throws -> String {
            let now = Int(Date().timeIntervalSince1970)
            return try maker.signed(
                header: #"{"alg":"ES256","typ":"JWT"}"#,
                #"{"iss":"signing","sub":"signing","aud":"\#(issuer)","iat":\#(now),"exp":\#(now + 60),"#
                    + #""jti":"\#(UUID().uuidString)"}"#
            )
        }

        private static func refresh(
            by assertion: String,
            _ web: WebClient,
            _ url: String
        ) async throws -> WebClient.Reply {
            let type = "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"
            let form =
                "grant_type=refresh_token&refresh_token=x&client_assertion_type=\(type)&client_assertion=\(assertion)"
            return try await web.send(.post, "\(url)/oauth/token", form: form)
        }

        private static func error(of reply: WebClient.Reply) throws -> String {
            struct Refused: Decodable { let error: String }
            return try reply.json(Refused.self).error
        }

        private static func useCode(_ cluster: Cluster) async throws {
            struct Granted: Decodable {
                let accessToken: String

                enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
            }
            let verifier = Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...255) })
            let code = try await code(challenge: verifier, cluster)
            let form =
                "grant_type=authorization_code&client_id=app&code=\(code)&redirect_uri=\(escapedCallback)"
                + "&code_verifier=\(verifier)"
            let replies = try await cluster.atOnce(copies: copies) { web, url in
                try await web.send(.post, "\(url)/oauth/token", form: form)
            }
            #expect(replies.map(\.status).sorted() == [200, 400, 400, 400, 400, 400], "\(replies)")
            let granted = try #require(replies.first { $0.status == 200 }).json(Granted.self)
            // A code that comes again was stolen.
            for daemon in cluster.daemons {
                try await eventually("a refusal", within: .seconds(20)) {
                    let headers = ["Authorization": "Bearer \(granted.accessToken)"]
                    return try await cluster.web.send(.get, "\(daemon.url)/oauth/userinfo", headers).status == 401
                }
            }
        }

        /// Returns a code for the person's browser, which is signed in by a face.
        private static func code(challenge verifier: String, _ cluster: Cluster) async throws -> String {
            let login = try await cluster.app(2).begin(person, withVerifier: true)
            let tokens = try #require(try await cluster.app(0).follow(login).tokens)
            let held = try await cluster.web.send(
                .post,
                "\(cluster.daemons[0].url)/api/auth/web-session",
                ["Authorization": "Bearer \(tokens.accessToken)"]
            )
            #expect(held.status == 200, "\(held)")
            let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
            var browser = RedirectedBrowser(
                port: cluster.daemons[1].port,
                cookie: held.cookies.joined(separator: "; ")
            )
            let page = try browser.get(
                "/oauth/authorize?response_type=code&client_id=app&scope=openid&state=s&nonce=n-0S6_WzA2Mj"
                    + "&redirect_uri=\(escapedCallback)&code_challenge=\(challenge)&code_challenge_method=S256"
            )
            return try #require(parameter("code", of: page.location ?? ""), "\(page)")
        }

        private static let escapedCallback = "https%3A%2F%2Fclient.example.com%2Fcallback"
    }
}
