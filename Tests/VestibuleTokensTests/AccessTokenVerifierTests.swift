import Foundation
import Kernel
import Testing
import TokenReading
import Tokens
import VestibuleTokens

struct AccessTokenVerifierTests {
    private static let issuer = "https://login.example.com"
    private static let start = Instant(seconds: 1_800_000_000)

    private let folder: TemporaryFolder
    private let keys: KeyFolder
    private let ring: KeyRing
    private let clock = SetClock(start)

    init() throws {
        folder = try TemporaryFolder()
        keys = try KeyFolder.open(at: folder.path + "/keys", environment: TestEnvironment.environment(at: Self.start))
        let policy = KeyRingPolicy(algorithm: .es256, announcement: .zero, rotation: nil)
        ring = try KeyRing.open(in: keys, policy: policy, longestToken: .seconds(3600), now: Self.start)
    }

    private func document(maxAge: Duration? = .seconds(300)) -> KeySetDocument {
        KeySetDocument(bytes: ring.snapshot.jwks, maxAge: maxAge)
    }

    private func verifier(
        _ source: ScriptedKeySetSource,
        scopes: Set<String> = [],
        leeway: Duration = .seconds(30),
        cache: KeyCachePolicy = KeyCachePolicy()
    ) throws -> AccessTokenVerifier {
        try AccessTokenVerifier(
            issuer: Self.issuer,
            audiences: [TestTokens.audience, "back-office"],
            scopes: scopes,
            leeway: leeway,
            keys: source,
            cache: cache,
            time: clock.time
        )
    }

    private func token(lifetime: Duration = .seconds(3600), audience: String = TestTokens.audience) throws -> String {
        let issuer = TokenIssuer(issuer: Self.issuer, ring: ring, folder: keys)
        return try issuer.sign(access: TestTokens.access(at: clock.now, lifetime: lifetime, audience: audience))
            .expose()
    }

    private func reason(_ token: String, _ verifier: AccessTokenVerifier) async -> AccessTokenError.Code? {
        do {
            _ = try await verifier.verify(token)
            return nil
        } catch { return error.code }
    }

    // MARK: Claims

    @Test func `a good token comes back as its claims`() async throws {
        let claims = TestTokens.access(at: Self.start)
        let text = try TokenIssuer(issuer: Self.issuer, ring: ring, folder: keys).sign(access: claims).expose()
        let token = try await verifier(ScriptedKeySetSource([.success(document())])).verify(text)
        #expect(token.account.uuidString.lowercased() == claims.account.description)
        #expect(token.session.uuidString.lowercased() == claims.session.description)
        #expect(token.audience == claims.audience && token.clientID == claims.clientID)
        #expect(token.deviceID == claims.deviceID && token.tokenID == claims.tokenID)
        #expect(token.issuedAt == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(token.expiresAt == Date(timeIntervalSince1970: 1_800_003_600))
        #expect(token.authenticatedAt == Date(timeIntervalSince1970: 1_799_999_970))
        #expect(token.methods == ["face", "mfa"] && token.contextClass == nil)
    }

    @Test func `each of several audiences will do, no other`() async throws {
        let verifier = try verifier(ScriptedKeySetSource([.success(document())]))
        #expect(await reason(try token(audience: "back-office"), verifier) == nil)
        #expect(await reason(try token(audience: "bank"), verifier) == .wrongAudience)
    }

    // T-205
    @Test(
        arguments: [
            ([], ["orders.read"], false), ([], nil, true), (["orders.read"], nil, true),
            (["orders.read"], ["orders.read"], true), (["orders.read"], ["orders.read", "profile"], true),
            (["orders.read"], ["orders.write"], false), (["orders.read"], ["orders"], false),
            (["orders.read", "orders.write"], ["orders.read"], false),
        ] as [(Set<String>, Set<String>?, Bool)]
    )
    func `attack: a token limited to scopes is accepted only where its scopes are asked for`(
        _ asked: Set<String>,
        _ granted: Set<String>?,
        _ isGood: Bool
    ) async throws {
        let claims = TestTokens.access(at: Self.start, scopes: granted)
        let text = try TokenIssuer(issuer: Self.issuer, ring: ring, folder: keys).sign(access: claims).expose()
        let verifier = try verifier(ScriptedKeySetSource([.success(document())]), scopes: asked)
        guard isGood else { return #expect(await reason(text, verifier) == .scope) }
        let token = try await verifier.verify(text)
        #expect(token.scopes == granted)
    }

    @Test(arguments: [0, 30, 300])
    func `a clock may be off by the leeway and no more`(leeway: Int) async throws {
        let source = ScriptedKeySetSource([.success(document(maxAge: .seconds(3600)))])
        let verifier = try verifier(source, leeway: .seconds(leeway))
        let text = try token(lifetime: .seconds(600))
        clock.advance(.seconds(600 + leeway) - .milliseconds(1))
        #expect(await reason(text, verifier) == nil)
        clock.advance(.milliseconds(1))
        #expect(await reason(text, verifier) == .expired)
        let early = try token()
        clock.advance(.seconds(-leeway))
        #expect(await reason(early, verifier) == nil)
        clock.advance(.seconds(-1))
        #expect(await reason(early, verifier) == .notYetValid)
    }

    @Test func `a verifier that would take everything or nothing is not made`() throws {
        let source = ScriptedKeySetSource([])
        func make(_ issuer: String, _ audiences: Set<String>, _ leeway: Duration) throws {
            _ = try AccessTokenVerifier(issuer: issuer, audiences: audiences, leeway: leeway, keys: source)
        }
        typealias Fault = AccessTokenVerifier.ConfigurationError
        #expect(throws: Fault.issuer) { try make("", ["shop"], .zero) }
        #expect(throws: Fault.audiences) { try make(Self.issuer, [], .zero) }
        #expect(throws: Fault.audiences) { try make(Self.issuer, ["shop", ""], .zero) }
        #expect(throws: Fault.leeway) { try make(Self.issuer, ["shop"], .seconds(-1)) }
        #expect(throws: Fault.leeway) { try make(Self.issuer, ["shop"], .seconds(301)) }
        try make(Self.issuer, ["shop"], .seconds(300))
    }

    // MARK: The keys

    @Test func `keys are fetched once, and again when the issuer's time for them is over`() async throws {
        let source = ScriptedKeySetSource([.success(document())])
        let verifier = try verifier(source)
        for _ in 0..<100 { #expect(await reason(try token(), verifier) == nil) }
        #expect(await source.count == 1)
        clock.advance(.seconds(300) - .milliseconds(1))
        #expect(await reason(try token(), verifier) == nil)
        #expect(await source.count == 1)
        clock.advance(.milliseconds(1))
        #expect(await reason(try token(), verifier) == nil)
        #expect(await source.count == 2)
    }

    @Test(arguments: [(Duration.zero, 30), (.seconds(1), 30), (.seconds(9_999_999), 3600), (nil, 300)])
    func `the issuer's word on how long keys may be kept counts within bounds`(said: Duration?, kept: Int) async throws
    {
        let source = ScriptedKeySetSource([.success(document(maxAge: said))])
        let verifier = try verifier(source)
        #expect(await reason(try token(), verifier) == nil)
        clock.advance(.seconds(kept) - .milliseconds(1))
        #expect(await reason(try token(), verifier) == nil)
        #expect(await source.count == 1)
        clock.advance(.milliseconds(1))
        #expect(await reason(try token(), verifier) == nil)
        #expect(await source.count == 2)
    }

    @Test func `a key that signs at once is fetched for the first token that names it, for all who wait`() async throws
    {
        let source = ScriptedKeySetSource([.success(document())])
        let verifier = try verifier(source)
        #expect(await reason(try token(), verifier) == nil)
        clock.advance(.seconds(61))
        // The next key was in the set before; the one after it was not.
        try ring.rotate(now: clock.now, unannounced: true)
        try ring.rotate(now: clock.now, unannounced: true)
        await source.answer(.success(document()))
        await source.close()
        let text = try token()
        let reasons = await withTaskGroup(of: AccessTokenError.Code?.self) { group in
            for _ in 0..<16 { group.addTask { await self.reason(text, verifier) } }
            group.addTask {
                while await source.count < 2 { await Task.yield() }
                await source.open()
                return nil
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reasons.allSatisfy { $0 == nil })
        #expect(await source.count == 2)
    }

    // T-203
    @Test func `attack: a thousand tokens with unknown keys cause one request to the issuer a minute`() async throws {
        let source = ScriptedKeySetSource([.success(document(maxAge: .seconds(3600)))])
        let verifier = try verifier(source)
        let parts = try token().split(separator: ".").map(String.init)
        for minute in 1...3 {
            for count in 0..<1000 {
                let header = #"{"alg":"ES256","kid":"made-up-\#(minute)-\#(count)","typ":"at+jwt"}"#
                let forged = [Base64URL.encode(Array(header.utf8)), parts[1], parts[2]].joined(separator: ".")
                #expect(await reason(forged, verifier) == .unknownKey)
            }
            #expect(await source.count == minute)
            #expect(await reason(try token(), verifier) == nil, "honest people go in meanwhile")
            clock.advance(.seconds(60))
        }
    }

    // T-203
    @Test func `attack: a malformed access token causes no request to the issuer`() async throws {
        let source = ScriptedKeySetSource([.success(document())])
        let verifier = try verifier(source)
        let refresh = TokenIssuer(issuer: Self.issuer, ring: ring, folder: keys).sign(
            refresh: TestTokens.refresh(at: clock.now)
        )
        for text in ["", "x", "a.b.c", refresh.expose(), String(repeating: "x", count: 100_000)] {
            #expect(await reason(text, verifier) != nil)
        }
        #expect(await source.count == 0)
    }

    // MARK: The issuer is down

    // T-208
    @Test func `while the issuer is down its keys are used for a day, and no longer`() async throws {
        let source = ScriptedKeySetSource([.success(document())])
        let verifier = try verifier(source)
        #expect(await reason(try token(), verifier) == nil)
        await source.answer(.failure(.init()))
        clock.advance(.seconds(300))
        for _ in 0..<100 { #expect(await reason(try token(), verifier) == nil) }
        #expect(await source.count == 2, "asked once, not for each token")
        clock.advance(.seconds(60))
        #expect(await reason(try token(), verifier) == nil)
        while await source.count < 3 { await Task.yield() }
        clock.advance(.seconds(86_400 - 360) - .milliseconds(1))
        #expect(await reason(try token(), verifier) == nil)
        clock.advance(.milliseconds(1))
        #expect(await reason(try token(), verifier) == .keysUnavailable)
        await source.answer(.success(document()))
        clock.advance(.seconds(60))
        #expect(await reason(try token(), verifier) == nil)
    }

    @Test(.timeLimit(.minutes(10)))
    func `an issuer that fails and then hangs holds up nobody whose key is held`() async throws {
        let source = ScriptedKeySetSource([.success(document())])
        let verifier = try verifier(source)
        #expect(await reason(try token(), verifier) == nil)
        await source.answer(.failure(.init()))
        clock.advance(.seconds(300))
        #expect(await reason(try token(), verifier) == nil, "the first waits, and has the key that is held")
        clock.advance(.seconds(60))
        await source.close()
        for _ in 0..<50 { #expect(await reason(try token(), verifier) == nil) }
        while await source.count < 3 { await Task.yield() }
        for _ in 0..<50 { #expect(await reason(try token(), verifier) == nil) }
        #expect(await source.count == 3, "one request at a time")
        await source.answer(.success(document()))
        await source.open()
        clock.advance(.seconds(60))
        #expect(await reason(try token(), verifier) == nil)
    }

    // T-203
    @Test func `an issuer that is down from the first is asked every five seconds, and no token is refused for it`()
        async throws
    {
        let source = ScriptedKeySetSource([.failure(.init())])
        let verifier = try verifier(source)
        for _ in 0..<50 { #expect(await reason(try token(), verifier) == .keysUnavailable) }
        #expect(await source.count == 1)
        let error = await #expect(throws: AccessTokenError.self) { try await verifier.verify(try self.token()) }
        #expect(error?.isRefused == false)
        clock.advance(.seconds(5) - .milliseconds(1))
        #expect(await reason(try token(), verifier) == .keysUnavailable)
        #expect(await source.count == 1)
        await source.answer(.success(document()))
        clock.advance(.milliseconds(1))
        #expect(await reason(try token(), verifier) == nil)
    }

    @Test(arguments: ["", "{}", "<html>", #"{"keys":[]}"#, #"{"keys":[{"kty":"RSA"}]}"#])
    func `an answer without a key that could be used takes nothing away`(answer: String) async throws {
        let source = ScriptedKeySetSource([.success(document())])
        let verifier = try verifier(source)
        #expect(await reason(try token(), verifier) == nil)
        await source.answer(.success(KeySetDocument(bytes: Array(answer.utf8), maxAge: .seconds(3600))))
        clock.advance(.seconds(300))
        #expect(await reason(try token(), verifier) == nil)
        #expect(await source.count == 2)
    }

    // T-208
    @Test func `a retired key is good for nothing once the keys are fetched again`() async throws {
        let source = ScriptedKeySetSource([.success(document())])
        let verifier = try verifier(source)
        let text = try token()
        #expect(await reason(text, verifier) == nil)
        let old = ring.snapshot.keys[0].id.text
        try ring.rotate(now: clock.now)
        try ring.retire(old, now: clock.now)
        await source.answer(.success(document()))
        #expect(await reason(text, verifier) == nil, "offline means within the issuer's max-age")
        clock.advance(.seconds(300))
        #expect(await reason(text, verifier) == .unknownKey)
        #expect(await reason(try token(), verifier) == nil)
    }
}
