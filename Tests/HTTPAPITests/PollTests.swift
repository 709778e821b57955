import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import OAuth
import Operations
import Settings
import SignIn
import Testing
import Web
import Wire

@testable import Assembly
@testable import HTTPAPI

struct PollTests {
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a poll says where the login stands, step by step`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            let login = try await harness.start()
            #expect(try await harness.word(login) == "created")
            try await harness.open(login)
            #expect(try await harness.word(login) == "user_in_provider")
            try await harness.judge(.pending(.processing))
            #expect(try await harness.word(login) == "processing")
            harness.provider.fail(with: .unavailable(cause: "down"))
            await harness.pass(.seconds(6))
            #expect(try await harness.word(login) == "provider_degraded")
            harness.provider.fail(with: nil)
            try await harness.judge(.approved)
            #expect(try await harness.word(login) == "completed")
        }
    }

    // RFC 6749 §5.1: `expires_in` is the lifetime of the token beside it.
    // T-262
    @Test func `a clock that is set back gives tokens that come again no longer life`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            let first = try await harness.poll(login, login.bound).decode(PollLoginResponse.self)
            harness.time.stepWall(by: .seconds(-7200))
            let again = try await harness.poll(login, login.bound).decode(PollLoginResponse.self)
            #expect(first.expiresIn == 3600 && again.expiresIn == 3600)
            #expect(again.refreshToken == first.refreshToken)
        }
    }

    @Test func `the first answer says the whole lifetime, however late, and a repeated one what is left`()
        async throws
    {
        try await Harness.run { harness in
            let tokens = harness.composition.tokens
            let policy = try harness.settings.clientDirectory.client(named: "bbms", surface: nil)
            let claims = SessionClaims(
                account: harness.composition.environment.newID(),
                session: harness.composition.environment.newID(),
                deviceID: nil,
                accessTokenID: harness.composition.environment.newUUID(),
                refreshTokenID: harness.composition.environment.newUUID(),
                issuedAt: harness.time.wall,
                authentication: AuthenticationContext(methods: ["pwd"], at: harness.time.wall),
                proofKey: nil
            )
            harness.time.advance(by: .milliseconds(1007))
            #expect(try tokens.first(claims, under: policy).expiresIn == 3600)
            #expect(try tokens.first(claims, under: policy, isRepeated: true).expiresIn == 3598)
            let login = try await harness.start()
            try await harness.approve(login)
            let first = try await harness.poll(login, login.bound).decode(PollLoginResponse.self)
            harness.time.advance(by: .seconds(5))
            let again = try await harness.poll(login, login.bound).decode(PollLoginResponse.self)
            #expect(first.expiresIn == 3600 && again.expiresIn == 3595)
        }
    }

    @Test func `a redeemed login is answered with its tokens after it has left the cache`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start(isChallenged: true)
            try await harness.approve(login)
            let service = harness.composition.service
            let caller = Caller(challenge: Digest256(sha256: Harness.verifier))
            let view = try #require(try await service.poll(login.publicID, caller))
            service.cache.remove(login.publicID)
            let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: login.pollPath)
            let request = Request(head: head, body: .init(buffer: ByteBuffer()))
            let surface = try #require(harness.api.surface("bbms"))
            let (response, written) = (
                try harness.api.faceLogin(surface).reply(view, for: request, in: .english), Written()
            )
            try await response.body.write(Pen(written: written))
            let answer = try JSONDecoder().decode(PollLoginResponse.self, from: Data((written.last ?? "").utf8))
            #expect(response.status == .ok && answer.status == .completed)
            #expect(answer.expiresIn == 3600 && answer.accessToken != nil && answer.refreshToken != nil)
        }
    }

    @Test(.ofOneDaemon(.ownHealth)) func `a link that was opened while the provider was down is opened, and degraded`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            harness.provider.fail(with: .unavailable(cause: "down"))
            try await harness.open(login)
            #expect(try harness.operation(login).state.name == .opened)
            #expect(try await harness.word(login) == "provider_degraded")
            let seq = try await harness.poll(login).decode(PollLoginResponse.self).seq
            #expect(seq == 2, "health does not count as a change")
        }
    }

    @Test func `time is told as what is left, rounded up, and the interval as the config has it`() async throws {
        try await Harness.run { settings in
            settings.faceLogin.pollInterval = .seconds(7)
        } _: { harness in
            let login = try await harness.start()
            #expect(login.answer.interval == 7)
            await harness.pass(.milliseconds(10_500))
            let answer = try await harness.poll(login).decode(PollLoginResponse.self)
            #expect(answer.operationExpiresIn == 170 && answer.interval == 7 && answer.seq == 1)
        }
    }

    @Test(arguments: ["", "/api"])
    func `a POST polls as well, with the verifier in its body`(_ prefix: String) async throws {
        try await Harness.run { harness in
            let login = try await harness.start(isChallenged: true)
            try await harness.approve(login)
            let pending = try await harness.post(prefix + login.pollPath, "{}")
            #expect(try pending.decode(PollLoginResponse.self).status == .pending)
            let body = "{\"codeVerifier\":\"\(Harness.verifier)\"}"
            let completed = try await harness.post(prefix + login.pollPath, body)
            #expect(try completed.decode(PollLoginResponse.self).status == .completed)
        }
    }

    @Test func `an id is taken in upper case too`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let response = try await harness.send(.get, "/auth/biometric-login/poll/\(login.id.uppercased())")
            #expect(response.status == .ok)
        }
    }

    // T-032
    @Test func `attack: HEAD on the poll route gets 405 and collects nothing`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            let response = try await harness.send(.head, login.pollPath, login.bound)
            #expect(response.status == .methodNotAllowed && response.headers[.allow]?.contains("GET") == true)
            #expect(response.headers[.setCookie] == nil)
            #expect(try harness.operation(login).state.name == .approved)
            #expect(try await harness.word(login, login.bound) == "completed")
        }
    }

    @Test func `a completed login has its tokens under every name, and a person without dates`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            let body = try await harness.poll(login, login.bound).json()
            #expect(
                Set(body.keys) == [
                    "status", "seq", "user", "tokens", "accessToken", "refreshToken", "expiresIn", "tokenType",
                ]
            )
            let tokens = try #require(body["tokens"] as? [String: Any])
            #expect(Set(tokens.keys) == ["accessToken", "refreshToken", "expiresIn", "tokenType"])
            for name in ["accessToken", "refreshToken", "tokenType"] {
                let text = try #require(body[name] as? String)
                #expect(tokens[name] as? String == text && !text.isEmpty)
            }
            #expect(body["expiresIn"] as? Int == 3600 && tokens["expiresIn"] as? Int == 3600)
            let user = try #require(body["user"] as? [String: String], "nothing but text: no dates")
            #expect(user["id"].flatMap { UUIDBits($0) } != nil)
            #expect(
                user.filter { $0.key != "id" } == [
                    "name": "Ada", "email": "ada@example.com", "department": "Research", "role": "admin",
                    "accessLevel": "basic",
                ]
            )
        }
    }

    @Test(arguments: [
        (ScanStatus.rejected(.declined), "declined", false), (.rejected(.notMatched), "not_matched", true),
        (.rejected(.livenessFailed), "liveness_failed", true),
        (.rejected(.tooManyAttempts), "too_many_attempts", false), (.expired, "expired", true),
        (.canceled, "canceled", true), (.broken, "provider_error", true),
    ])
    func `a failed login stays failed, and says why in text, twice`(
        _ status: ScanStatus,
        _ code: String,
        _ isRetryable: Bool
    ) async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            try await harness.judge(status)
            let first = try await harness.poll(login)
            let body = try first.json()
            #expect(first.status == .ok)
            #expect(Set(body.keys) == ["status", "seq", "failure", "code", "message"])
            #expect(body["status"] as? String == "failed" && body["code"] as? String == code)
            let failure = try #require(body["failure"] as? [String: Any])
            #expect(failure["code"] as? String == code && failure["retryable"] as? Bool == isRetryable)
            #expect(failure["message"] as? String == body["message"] as? String)
            #expect((body["message"] as? String).map { $0.count > 10 && $0 != code } == true)
            for _ in 0..<60 { #expect(try await harness.poll(login).text == first.text) }
        }
    }

    @Test func `a repeated poll hands out the same session, claims and refresh token`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            let first = try await harness.poll(login, login.bound)
            await harness.pass(.seconds(100))
            let second = try await harness.poll(login, login.bound)
            let (one, other) = (try first.decode(PollLoginResponse.self), try second.decode(PollLoginResponse.self))
            #expect(one.refreshToken != nil && one.refreshToken == other.refreshToken)
            #expect(try Self.claims(one.accessToken) == Self.claims(other.accessToken))
            #expect(one.seq == other.seq && one.user == other.user)
            #expect(other.expiresIn == 3500, "what is left of it")
            #expect(first.setCookie("vst_device") == second.setCookie("vst_device"))
            #expect(first.setCookie("vst_device") != nil)
            await harness.pass(.seconds(20))
            #expect(try await harness.word(login, login.bound) == "delivered", "the window is over")
        }
    }

    @Test func `a poll after the acknowledgement has status, seq and delivery alone`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            #expect(try await harness.word(login, login.bound) == "completed")
            try await harness.send(.post, login.ackPath, login.bound)
            let body = try await harness.poll(login, login.bound).json()
            #expect(Set(body.keys) == ["status", "seq", "delivery"])
            #expect(body["status"] as? String == "completed" && body["delivery"] as? String == "closed")
        }
    }

    @Test func `an approval that nobody collects in time expires`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            await harness.pass(.seconds(61))
            #expect(try await harness.word(login, login.bound) == "expired")
        }
    }

    @Test func `a verdict after the deadline grants nothing`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            await harness.pass(.seconds(180))
            try await harness.judge(.approved)
            #expect(try await harness.word(login, login.bound) == "expired")
        }
    }

    @Test func `a login that was never approved leaves no session behind`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            try await harness.judge(.rejected(.notMatched))
            _ = try await harness.poll(login, login.bound)
            #expect(try harness.operation(login).session == nil)
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `everything is there again after a restart`(_ storage: HarnessStorage) async throws {
        let (folder, time, provider) = (try TestFolder(), VirtualTime(), ScriptedFaceProvider(name: .init("mock")))
        let kept = Kept()
        try await Harness.run(storage: storage, folder: folder, time: time, provider: provider) { harness in
            let login = try await harness.start()
            try await harness.open(login)
            kept.put(login)
        }
        try await Harness.run(storage: storage, folder: folder, time: time, seed: 2, provider: provider) { harness in
            let login = try #require(kept.login)
            #expect(try await harness.word(login, login.bound) == "user_in_provider")
            try await harness.judge(.approved)
            let first = try await harness.poll(login, login.bound).decode(PollLoginResponse.self)
            #expect(first.tokens != nil)
            kept.put(try Self.claims(first.accessToken))
        }
        try await Harness.run(storage: storage, folder: folder, time: time, seed: 3, provider: provider) { harness in
            let login = try #require(kept.login)
            let again = try await harness.poll(login, login.bound).decode(PollLoginResponse.self)
            #expect(try Self.claims(again.accessToken) == kept.claims, "one grant, whatever restarts")
        }
    }

    // T-011
    @Test func `attack: a login whose account is disabled after its approval polls account_blocked`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            _ = try await harness.composition.accounts.disable("ada@example.com")
            #expect(try await harness.word(login, login.bound) == "account_blocked")
        }
    }

    // T-011
    @Test func `attack: a collected login whose account is disabled hands its tokens out no second time`() async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            #expect(try await harness.word(login, login.bound) == "completed")
            _ = try await harness.composition.accounts.disable("ada@example.com")
            #expect(try await harness.word(login, login.bound) == "delivered")
        }
    }

    /// The claims of a JWT, as its text has them.
    static func claims(_ token: String?) throws -> String {
        let parts = try #require(token).split(separator: ".")
        return String(decoding: try #require(Base64URL.decode(parts[1])), as: UTF8.self)
    }
}
