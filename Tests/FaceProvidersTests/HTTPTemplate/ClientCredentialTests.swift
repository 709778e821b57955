import Foundation
import Kernel
import MemoryStore
import Operations
import ScriptedServer
import Synchronization
import Testing

@testable import FaceProviders

struct ClientCredentialTests {
    private func run(
        transport: ClientCredentials.Transport = .basic,
        token: @escaping @Sendable (Int) -> ScriptedReply = {
            .json(#"{"access_token":"t\#($0)","token_type":"Bearer","expires_in":600}"#)
        },
        api: @escaping @Sendable (String) -> ScriptedReply = { _ in .json(#"{"id":"scan-1","status":"ok"}"#) },
        during body: (FakeHTTPProvider) async throws -> Void
    ) async throws {
        let issued = Mutex(0)
        try await FakeHTTPProvider.run { configuration in
            configuration.auth = .clientCredentials(
                ClientCredentials(
                    tokenURL: configuration.baseURL + "/oauth/token",
                    clientID: Secret("client&1"),
                    clientSecret: Secret("s:e c+ret"),
                    transport: transport,
                    scope: "scans other",
                    audience: nil
                )
            )
        } _: { request in
            guard request.path == "/oauth/token" else { return api(request.header("Authorization") ?? "") }
            return token(
                issued.withLock {
                    $0 += 1; return $0
                }
            )
        } during: {
            try await body($0)
        }
    }

    private func tokens(_ fake: FakeHTTPProvider) -> [ScriptedRequest] {
        fake.server.requests.filter { $0.path == "/oauth/token" }
    }

    private func failure(_ fake: FakeHTTPProvider) async -> ProviderError? {
        await fake.failure { () async throws(ProviderError) in try await fake.check() }
    }

    @Test func `one token serves until its margin, and the next one after it`() async throws {
        try await run { fake in
            for _ in 0..<3 { #expect(try await fake.check() == .approved) }
            #expect(tokens(fake).count == 1)
            fake.time.advance(by: .seconds(539))
            _ = try await fake.check()
            #expect(tokens(fake).count == 1)
            fake.time.advance(by: .seconds(1))
            _ = try await fake.check()
            #expect(tokens(fake).count == 2)
            #expect(fake.server.requests.last?.header("Authorization") == "Bearer t2")
        }
    }

    @Test func `credentials go in the header, encoded as in a form`() async throws {
        try await run { fake in
            _ = try await fake.check()
            let request = try #require(tokens(fake).first)
            let pair = Data("client%261:s%3Ae%20c%2Bret".utf8).base64EncodedString()
            #expect(request.header("Authorization") == "Basic \(pair)")
            #expect(request.text == "grant_type=client_credentials&scope=scans%20other")
            #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        }
    }

    @Test func `or in the body`() async throws {
        try await run(transport: .body) { fake in
            _ = try await fake.check()
            let request = try #require(tokens(fake).first)
            #expect(request.header("Authorization") == nil)
            #expect(request.text.hasSuffix("&client_id=client%261&client_secret=s%3Ae%20c%2Bret"))
        }
    }

    @Test func `a hundred calls at once ask for one token`() async throws {
        try await run { fake in
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 { group.addTask { (try? await fake.check()) == .approved } }
                for await isApproved in group { #expect(isApproved) }
            }
            #expect(tokens(fake).count == 1)
        }
    }

    @Test func `a 401 renews the token once, and the request is sent once more`() async throws {
        try await run(api: { $0 == "Bearer t1" ? .json("{}", status: 401) : .json(#"{"id":"scan-1","status":"no"}"#) })
        { fake in
            let found = try await fake.check()
            #expect(found == .rejected(.declined))
            #expect(tokens(fake).count == 2)
            #expect(fake.server.requests.count == 4)
        }
        try await run(api: { _ in .json("{}", status: 401) }) { fake in
            #expect(await failure(fake) == .unavailable(cause: "asking for a scan's status: HTTP 401"))
            #expect(tokens(fake).count == 2)
        }
    }

    @Test(arguments: [
        ScriptedReply.json("{}", status: 400), .json("{}", status: 401), .json("{}", status: 500), .json("{}"),
        .json("[]"),
        .json(#"{"access_token":""}"#), .json(#"{"access_token":"a b"}"#), .json(#"{"access_token":7}"#), .reset,
        .json(#"{"access_token":"t","token_type":"mac"}"#), .json(#"{"access_token":"t","access_token":"u"}"#),
    ])
    func `without a token nothing is asked, and that is an outage in which nothing can have begun`(
        _ reply: ScriptedReply
    ) async throws {
        try await run(token: { _ in reply }) { fake in
            guard case .unreached(let cause)? = await failure(fake) else {
                Issue.record("another provider would not be asked")
                return
            }
            #expect(cause.hasPrefix("asking for a token: "))
            #expect(!cause.contains("s:e c+ret") && !cause.contains("client&1"))
            #expect(fake.server.requests.allSatisfy { $0.path == "/oauth/token" })
        }
    }

    @Test func `after a failure the next call tries again`() async throws {
        try await run(token: { $0 == 1 ? .json("{}", status: 503) : .json(#"{"access_token":"t\#($0)"}"#) }) { fake in
            #expect(await failure(fake) != nil)
            let found = try await fake.check()
            #expect(found == .approved)
        }
    }

    @Test func `a lifetime that makes no sense is not believed`() async throws {
        let lifetimes: [(String, Int)] = [
            ("", 240), (#","expires_in":"600""#, 240), (#","expires_in":-5"#, 240), (#","expires_in":1e300"#, 240),
            (#","expires_in":999999999"#, 3540), (#","expires_in":60"#, 30), (#","expires_in":10"#, 5),
        ]
        for (text, seconds) in lifetimes {
            try await run(token: { .json(#"{"access_token":"t\#($0)"\#(text)}"#) }) { fake in
                _ = try await fake.check()
                fake.time.advance(by: .seconds(seconds) - .milliseconds(1))
                _ = try await fake.check()
                #expect(tokens(fake).count == 1, "\(text)")
                fake.time.advance(by: .milliseconds(1))
                _ = try await fake.check()
                #expect(tokens(fake).count == 2, "\(text)")
            }
        }
    }

    @Test func `nothing of it is logged`() async throws {
        try await run { fake in
            _ = try await fake.check()
            for secret in ["t1", "s:e c+ret", "client&1"] { #expect(!fake.log.text.contains(secret)) }
            #expect(!String(reflecting: fake.provider).contains("s:e c+ret"))
        }
    }
}
