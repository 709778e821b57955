import Accounts
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Sessions
import Settings
import Testing
import TokenForgeries
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Sessions whose tokens are bound to a key (RFC 9449).
struct DPoPTests {
    private let maker = DPoPMaker()

    // MARK: Sign-ins

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a face login with a proof is bound to its key, and its access token counts with a proof alone`(
        _ storage: HarnessStorage
    )
        async throws
    {
        try await run(storage: storage) { harness in
            let tokens = try await harness.signIn(by: maker)
            #expect(tokens.tokenType == "DPoP")
            #expect(try Self.key(tokens.accessToken) == Self.thumbprint(maker))
            let me = try await harness.ask("/auth/me", tokens.accessToken, maker)
            #expect(me.status == .ok, "\(me.text)")
            let under = try await harness.ask("/api/auth/me", tokens.accessToken, maker)
            #expect(under.status == .ok, "\(under.text)")
        }
    }

    @Test func `a repeated poll hands out tokens bound to the first poll's key, whoever's proof it has`() async throws {
        try await run { harness in
            let login = try await harness.approvedLogin()
            let first = try await harness.poll(login, harness.proving(.get, login.pollPath, maker, login.bound))
            let again = try await harness.poll(login, login.bound)
            let other = try await harness.poll(login, harness.proving(.get, login.pollPath, DPoPMaker(), login.bound))
            let tokens = try first.decode(PollLoginResponse.self).tokens
            #expect(tokens?.tokenType == "DPoP")
            for answer in [again, other] {
                let repeated = try answer.decode(PollLoginResponse.self)
                let accessToken = try #require(repeated.accessToken)
                #expect(try Self.key(accessToken) == Self.thumbprint(maker))
                #expect(repeated.refreshToken == tokens?.refreshToken && repeated.tokenType == "DPoP")
            }
        }
    }

    @Test func `a proof that is no good refuses a sign-in and uses nothing up`() async throws {
        try await run { harness in
            let login = try await harness.approvedLogin()
            for headers in [
                harness.proving(.post, login.pollPath, maker, login.bound),
                harness.proving(.get, "/auth/me", maker, login.bound),
                login.bound.adding(.dpopProof, "x"), login.bound.adding(.dpopProof, ""),
            ] {
                let refused = try await harness.poll(login, headers)
                try harness.expect(refused, is: "invalid_dpop_proof", 400)
                #expect(refused.headers[.wwwAuthenticate] == Self.challenge)
            }
            let answer = try await harness.poll(login, harness.proving(.get, login.pollPath, maker, login.bound))
            #expect(try answer.decode(PollLoginResponse.self).tokens?.tokenType == "DPoP")
        }
    }

    @Test func `passwords, mailed codes and new accounts sign in with a key as well`() async throws {
        try await run { harness in
            try await harness.register("eve@example.com")
            let path = "/api/mobile/auth/login/password"
            let password = try await harness.passwordSignIn(
                "eve@example.com",
                path: path,
                with: harness.proving(.post, path, maker)
            )
            _ = try await harness.askForCode()
            let code = try #require(try await harness.mails().last { $0.to == "ada@example.com" }).code
            let verify = "/api/mobile/auth/login/verify"
            func typed(_ headers: HTTPFields) async throws -> TestResponse {
                try await harness.typeCode(
                    code,
                    #""email":"ada@example.com""#,
                    on: Harness.mailPhone,
                    more: "",
                    headers
                )
            }
            let refused = try await typed(harness.proving(.get, verify, maker))
            try harness.expect(refused, is: "invalid_dpop_proof", 400)
            let mailed = try await typed(harness.proving(.post, verify, maker))
            let account = #"{"email":"fay@example.com","name":"Fay","password":"correct horse battery"}"#
            let opened = try await harness.post(
                "/auth/register",
                account,
                harness.proving(.post, "/auth/register", maker)
            )
            for answer in [password, mailed, opened] {
                let tokens = try answer.decode(SignInResponse.self)
                #expect(tokens.tokenType == "DPoP" && tokens.tokens.tokenType == "DPoP", "\(answer.text)")
                #expect(try Self.key(tokens.accessToken) == Self.thumbprint(maker))
            }
        }
    }

    @Test func `a session may be bound to the device's key and to one of tokens: a refresh takes both`() async throws {
        try await run { harness in
            let device = P256.Signing.PrivateKey()
            let ada = try await harness.phone()
            #expect(try await harness.setUp(Harness.spki(device.publicKey), ada).status == .ok)
            let challenge = try await harness.challenge()
            let path = Harness.biometric + "/verify"
            let headers = harness.proving(.post, path, maker)
            let answer = try await harness.verify(challenge, device.signed(challenge), Harness.phone, headers)
            let tokens = try answer.decode(SignInResponse.self)
            #expect(try Self.key(tokens.accessToken) == Self.thumbprint(maker))
            let refresh = "/api/mobile/auth/token/refresh"
            let body = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
            let half = try await harness.post(refresh, body, harness.proving(.post, refresh, maker))
            try harness.expect(half, is: "unauthorized", 401)
            #expect(half.text.contains("device’s key"), "\(half.text)")
        }
    }

    @Test func `a right password with a used DPoP proof counts as no try, and a wrong one does`() async throws {
        try await PasswordSignInTests.withEve { [maker] harness in
            func signIn(_ headers: HTTPFields, _ password: String = Harness.password) async throws -> TestResponse {
                try await harness.passwordSignIn("eve@example.com", password, with: headers)
            }
            let used = harness.proving(.post, "/auth/login", maker)
            #expect(try await signIn(used).status == .ok)
            for _ in 0..<Lockout.freeTries {
                try harness.expect(try await signIn(used), is: "invalid_dpop_proof", 400)
            }
            let again = try await signIn(harness.proving(.post, "/auth/login", maker))
            #expect(again.status == .ok, "\(again.text)")
            for _ in 0..<Lockout.freeTries {
                try harness.expect(try await signIn(used, "wrong horse battery"), is: "unauthorized", 401)
            }
            let late = try await signIn(harness.proving(.post, "/auth/login", maker))
            #expect(late.status == .tooManyRequests, "\(late.text)")
        }
    }

    // MARK: Access

    // T-095, O-050
    @Test func `attack: a DPoP-bound access token without a valid proof of its key gets 401`() async throws {
        try await run { harness in
            let token = try await harness.signIn(by: maker).accessToken
            let downgraded = try await harness.send(.get, "/auth/me", .bearing(token))
            try harness.expect(downgraded, is: "unauthorized", 401)
            #expect(downgraded.headers[.wwwAuthenticate] == #"DPoP error="invalid_token", algs="ES256 EdDSA""#)
            let shown: HTTPFields = [.authorization: "DPoP \(token)"]
            let now = harness.composition.environment.now()
            let own = harness.url("/auth/me")
            func claims(_ method: String, _ url: String, _ at: Instant, _ id: String, _ token: String?) -> String {
                DPoPMaker.claims(method, url, at: at, id: id, token: token)
            }
            let attacker = DPoPMaker()
            let secret = #"{"typ":"dpop+jwt","alg":"HS256","jwk":{"kty":"oct","k":"AAAA"}}"#
            let attempts: [(String, String)] = [
                ("another key", try attacker.signed(claims("GET", own, now, "1", token))),
                ("another method", try maker.signed(claims("POST", own, now, "2", token))),
                ("another path", try maker.signed(claims("GET", harness.url("/auth/sessions"), now, "3", token))),
                ("another host", try maker.signed(claims("GET", "https://evil.example.com/auth/me", now, "4", token))),
                ("no ath", try maker.signed(claims("GET", own, now, "5", nil))),
                ("another token's ath", try maker.signed(claims("GET", own, now, "6", token + "A"))),
                ("old", try maker.signed(claims("GET", own, now - .seconds(122), "7", token))),
                ("of the future", try maker.signed(claims("GET", own, now + .seconds(122), "8", token))),
                ("symmetric", try maker.signed(header: secret, claims("GET", own, now, "9", token))),
                ("unsigned", String(try maker.signed(claims("GET", own, now, "10", token)).dropLast(20))),
                ("none", ""),
            ]
            for (name, proof) in attempts {
                let answer = try await harness.send(.get, "/auth/me", shown.adding(.dpopProof, proof))
                try harness.expect(answer, is: "invalid_dpop_proof", 401)
                #expect(answer.headers[.wwwAuthenticate] == Self.challenge, "\(name)")
            }
            try harness.expect(try await harness.send(.get, "/auth/me", shown), is: "invalid_dpop_proof", 401)
            var two = try shown.adding(.dpopProof, maker.signed(claims("GET", own, now, "11", token)))
            two.append(HTTPField(name: .dpopProof, value: try maker.signed(claims("GET", own, now, "12", token))))
            try harness.expect(try await harness.send(.get, "/auth/me", two), is: "invalid_dpop_proof", 401)
            #expect(try await harness.ask("/auth/me", token, maker).status == .ok)
        }
    }

    // T-095, O-052
    @Test(.ofOneDaemon("Each daemon remembers the proofs of requests with a token by itself."))
    func `attack: a DPoP proof is refused a second time until it is too old to be accepted`()
        async throws
    {
        try await run { harness in
            let token = try await harness.signIn(by: maker).accessToken
            let made = harness.proving(.get, "/auth/me", maker, token: token)
            #expect(try await harness.send(.get, "/auth/me", made).status == .ok)
            for _ in 0..<5 {
                try harness.expect(try await harness.send(.get, "/auth/me", made), is: "invalid_dpop_proof", 401)
                harness.time.advance(by: .seconds(61))
            }
            #expect(try await harness.ask("/auth/me", token, maker).status == .ok)
        }
    }

    // T-095
    @Test func `attack: a bearer token sent with a DPoP proof gets 401 invalid_dpop_proof`() async throws {
        try await run { harness in
            let bearer = try await harness.signIn().tokens.accessToken
            let answer = try await harness.ask("/auth/me", bearer, maker)
            try harness.expect(answer, is: "invalid_dpop_proof", 401)
            #expect(try await harness.send(.get, "/auth/me", .bearing(bearer)).status == .ok)
        }
    }

    @Test func `every route that takes an access token takes a DPoP-bound one with its proof alone`() async throws {
        try await run { harness in
            let token = try await harness.signIn(by: maker).accessToken
            for path in ["/auth/me", "/auth/sessions", "/auth/operations", "/biometric/enrollment/status"] {
                let bare = try await harness.send(.get, path, .bearing(token))
                #expect(bare.status == .unauthorized, "\(path)")
                let proven = try await harness.ask(path, token, maker)
                #expect(proven.status != .unauthorized, "\(path): \(proven.text)")
            }
        }
    }

    // MARK: Refresh

    // T-095
    @Test func `attack: a DPoP-bound session refreshes only with its key, and failed tries do not end it`() async throws
    {
        try await run { harness in
            let tokens = try await harness.signIn(by: maker)
            let bare = try await harness.send(.post, "/auth/refresh", .bearing(tokens.refreshToken))
            try harness.expect(bare, is: "unauthorized", 401)
            #expect(bare.headers[.wwwAuthenticate] == #"DPoP algs="ES256 EdDSA""#)
            let foreign = try await harness.refresh(tokens.refreshToken, by: DPoPMaker())
            try harness.expect(foreign, is: "unauthorized", 401)
            let elsewhere = harness.proving(.post, "/auth/me", maker, .bearing(tokens.refreshToken))
            let misplaced = try await harness.send(.post, "/auth/refresh", elsewhere)
            try harness.expect(misplaced, is: "invalid_dpop_proof", 400)

            let made = harness.proving(.post, "/auth/refresh", maker, .bearing(tokens.refreshToken))
            let fresh = try await harness.send(.post, "/auth/refresh", made).decode(RefreshResponse.self)
            #expect(fresh.tokenType == "DPoP")
            #expect(try Self.key(fresh.accessToken) == Self.thumbprint(maker))
            let replayed = try await harness.send(.post, "/auth/refresh", made)
            try harness.expect(replayed, is: "invalid_dpop_proof", 400)
            #expect(try await harness.ask("/auth/me", fresh.accessToken, maker).status == .ok)

            harness.time.advance(by: .seconds(23 * 3600))
            let again = try await harness.refresh(tokens.refreshToken, by: maker).decode(RefreshResponse.self)
            #expect(again.refreshToken == fresh.refreshToken, "a lost answer is good for a day")
            let late = try await harness.send(.post, "/auth/refresh", .bearing(tokens.refreshToken))
            try harness.expect(late, is: "unauthorized", 401)
            let next = try #require(fresh.refreshToken)
            #expect(try await harness.refresh(next, by: maker).status == .ok, "the attacker's try ended nothing")
        }
    }

    // T-096
    @Test func `attack: refreshing a bearer session with a DPoP proof does not bind it to that key`() async throws {
        try await run { harness in
            let tokens = try await harness.signIn().tokens
            let taken = try await harness.refresh(tokens.refreshToken, by: DPoPMaker()).decode(RefreshResponse.self)
            #expect(taken.tokenType == "Bearer")
            let owner = try await harness.send(.post, "/auth/refresh", .bearing(tokens.refreshToken))
            #expect(try owner.decode(RefreshResponse.self).refreshToken == taken.refreshToken)
        }
    }

    // T-098
    @Test func `attack: a bound session's refresh token without a proof of its key signs nobody out`() async throws {
        try await run { harness in
            let tokens = try await harness.signIn(by: maker)
            for headers in [
                HTTPFields.bearing(tokens.refreshToken),
                harness.proving(.post, "/auth/logout", DPoPMaker(), .bearing(tokens.refreshToken)),
            ] {
                #expect(try await harness.send(.post, "/auth/logout?revokeAll=true", headers).status == .ok)
            }
            #expect(try await harness.ask("/auth/me", tokens.accessToken, maker).status == .ok)
            let own = harness.proving(.post, "/auth/logout", maker, .bearing(tokens.refreshToken))
            #expect(try await harness.send(.post, "/auth/logout", own).status == .ok)
            try harness.expect(try await harness.ask("/auth/me", tokens.accessToken, maker), is: "unauthorized", 401)
        }
    }

    @Test func `an access token with its proof signs out`() async throws {
        try await run { harness in
            let token = try await harness.signIn(by: maker).accessToken
            let path = "/api/mobile/auth/logout"
            try harness.expect(try await harness.post(path, "", .bearing(token)), is: "unauthorized", 401)
            let headers = harness.proving(.post, path, maker, token: token)
            #expect(try await harness.post(path, "", headers).status == .ok)
            try harness.expect(try await harness.ask("/auth/me", token, maker), is: "unauthorized", 401)
        }
    }

    // MARK: Steps

    private static let challenge = #"DPoP error="invalid_dpop_proof", algs="ES256 EdDSA""#

    /// With refresh tokens that are replaced.
    private func run(
        storage: HarnessStorage = .usual,
        _ body: @Sendable (Harness) async throws -> Void
    ) async throws {
        try await Harness.run(storage: storage) {
            for index in $0.clients.indices { $0.clients[index].refresh.rotation = .always }
        } _: {
            try await body($0)
        }
    }

    /// RFC 7638 §3.1.
    private static func thumbprint(_ maker: DPoPMaker) -> String {
        let point = Array(maker.key.publicKey.rawRepresentation)
        let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
        let json = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        return Base64URL.encode(SHA256.hash(data: Array(json.utf8)))
    }

    /// `cnf.jkt`.
    private static func key(_ token: String) throws -> String? {
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        let claims = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        return (claims["cnf"] as? [String: String])?["jkt"]
    }
}

extension Harness {
    func url(_ path: String) -> String { settings.publicURL + path.prefix { $0 != "?" } }

    /// The headers with a fresh proof; with a token, it is in them too.
    func proving(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ maker: DPoPMaker,
        _ headers: HTTPFields = [:],
        token: String? = nil
    ) -> HTTPFields {
        let claims = DPoPMaker.claims(
            method.rawValue,
            url(path),
            at: composition.environment.now(),
            id: composition.environment.newUUID().description,
            token: token
        )
        var headers = headers
        headers[.dpopProof] = (try? maker.signed(claims)) ?? "can't be signed"
        if let token { headers[.authorization] = "DPoP \(token)" }
        return headers
    }

    /// A GET with a bound token.
    func ask(_ path: String, _ token: String, _ maker: DPoPMaker) async throws -> TestResponse {
        try await send(.get, path, proving(.get, path, maker, token: token))
    }

    func refresh(_ token: String, by maker: DPoPMaker) async throws -> TestResponse {
        try await send(.post, "/auth/refresh", proving(.post, "/auth/refresh", maker, .bearing(token)))
    }

    func approvedLogin() async throws -> StartedLogin {
        let login = try await start()
        try await approve(login)
        return login
    }

    func signIn(by maker: DPoPMaker) async throws -> LoginTokens {
        let login = try await approvedLogin()
        let answer = try await poll(login, proving(.get, login.pollPath, maker, login.bound))
        return try #require(try answer.decode(PollLoginResponse.self).tokens, "\(answer.text)")
    }
}

extension HTTPField.Name {
    static let dpopProof = named("DPoP")
}
