import Foundation
import Kernel
import Operations
import ScriptedServer
import Testing

struct AuthIDBeginTests {
    @Test func `a scan is started with exactly the fields that authID wants`() async throws {
        try await FakeAuthID.run { authID in
            let started = try await authID.begin()
            #expect(started.reference == ProviderReference("tx-1"))
            #expect(started.page.expose() == "https://scan.example.com/?t=tx-1&s=ots%3D%2B%2F1")
            let request = try #require(authID.requests(.begin).first)
            #expect(request.header("Authorization") == "Bearer access-1")
            #expect(request.header("Content-Type") == "application/json")
            let sent = try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? NSDictionary)
            let scan: NSDictionary = ["CheckLiveness": true]
            let policy: NSDictionary = ["TransportType": 0, "CredentialType": 1, "BioPolicy": scan]
            let expected: NSDictionary = [
                "AccountNumber": "link-1", "Name": "Verify_Identity", "Timeout": 180, "ConfirmationPolicy": policy,
            ]
            #expect(sent == expected)
        }
    }

    @Test func `the token is asked for with the keys`() async throws {
        try await FakeAuthID.run { authID in
            _ = try await authID.begin()
            let request = try #require(authID.requests(.token).first)
            let pair = Data("\(FakeAuthID.keyID):\(FakeAuthID.keyValue)".utf8).base64EncodedString()
            #expect(request.header("Authorization") == "Basic \(pair)")
        }
    }

    @Test(arguments: [
        (Duration.seconds(180), 180), (.milliseconds(179_999), 179), (.milliseconds(1000), 1), (.milliseconds(999), 1),
        (.zero, 1), (.seconds(-5), 1),
    ])
    func `the provider gets whole seconds of the server's time, never more and at least one`(
        _ timeLeft: Duration,
        _ seconds: Int
    ) async throws {
        try await FakeAuthID.run { authID in
            _ = try await authID.begin(timeLeft: timeLeft)
            let request = try #require(authID.requests(.begin).first)
            #expect(request.text.contains(#""Timeout":\#(seconds)"#))
        }
    }

    @Test(arguments: [
        "", "null", "[]", "<html></html>", "{}", #"{"TransactionId":"tx-1"}"#, #"{"OneTimeSecret":"s"}"#,
        #"{"TransactionId":"","OneTimeSecret":"s"}"#, #"{"TransactionId":"tx-1","OneTimeSecret":""}"#,
        #"{"TransactionId":"a b","OneTimeSecret":"s"}"#, #"{"TransactionId":"a\r\nb","OneTimeSecret":"s"}"#,
        #"{"TransactionId":"ä","OneTimeSecret":"s"}"#, #"{"TransactionId":"..","OneTimeSecret":"s"}"#,
        #"{"TransactionId":7,"OneTimeSecret":"s"}"#, #"{"TransactionId":"tx-1","OneTimeSecret":"a\u0000b"}"#,
        #"{"TransactionId":"\#(String(repeating: "x", count: 129))","OneTimeSecret":"s"}"#,
        #"{"TransactionId":"tx-1","OneTimeSecret":"\#(String(repeating: "x", count: 2049))"}"#,
    ])
    func `an answer that can't be used means unavailable`(_ body: String) async throws {
        try await FakeAuthID.run(.init(begin: { _ in .json(body) })) { authID in
            #expect(
                await authID.beginFailure() == .unavailable(cause: "starting a transaction: the answer cannot be read")
            )
        }
    }

    @Test(arguments: [403, 408, 425, 429, 500, 502, 503, 504, 599])
    func `"not now" means unavailable`(_ status: Int) async throws {
        try await FakeAuthID.run(.init(begin: { _ in FakeAuthID.Replies.error(status, "E_X", message: "Later.") })) {
            authID in
            let failure = await authID.beginFailure()
            #expect(failure == .unavailable(cause: "starting a transaction: HTTP \(status) E_X: Later."))
        }
    }

    @Test(arguments: [400, 404, 409, 422])
    func `"no" is a refusal with authID's reason`(_ status: Int) async throws {
        let error = FakeAuthID.Replies.error(status, "E_ACCOUNT_LOCKED", message: "Account is locked.")
        try await FakeAuthID.run(.init(begin: { _ in error })) { authID in
            let failure = await authID.beginFailure()
            #expect(
                failure
                    == .refused(cause: "starting a transaction: HTTP \(status) E_ACCOUNT_LOCKED: Account is locked.")
            )
            #expect(authID.count(.begin) == 1)
        }
    }

    @Test func `a reason is cut, and loses characters that would garble a log`() async throws {
        let message = #"line\r\nbreak\u001b[31m\u202e\u0000"# + String(repeating: "m", count: 1000)
        let error = FakeAuthID.Replies.error(409, String(repeating: "I", count: 500), message: message)
        try await FakeAuthID.run(.init(begin: { _ in error })) { authID in
            guard case .refused(let cause) = await authID.beginFailure() else {
                Issue.record("not refused")
                return
            }
            #expect(cause.contains("linebreak[31mmmm"))
            #expect(cause.count < 400)
            #expect(cause.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 })
        }
    }

    @Test(arguments: ["", "no json", "[]", #"{"ID":{"x":1},"Message":[]}"#])
    func `a refusal without a readable reason is one all the same`(_ body: String) async throws {
        try await FakeAuthID.run(.init(begin: { _ in .json(body, status: 409) })) { authID in
            #expect(await authID.beginFailure() == .refused(cause: "starting a transaction: HTTP 409"))
        }
    }

    @Test(arguments: [
        ScriptedReply.reset, .flood, .raw("", thenClose: true),
        .raw("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"TransactionId\":", thenClose: true),
        .raw("garbage\r\n\r\n", thenClose: true), .answer(302, ["Location": "/IDCompleteBackendEngine"]),
    ])
    func `any breakage on the way means unavailable, and nothing is sent twice`(
        _ fault: ScriptedReply
    ) async throws {
        try await FakeAuthID.run(.init(begin: { _ in fault }), maxResponseBytes: 2000) { authID in
            let failure = await authID.beginFailure()
            guard case .unavailable = failure else {
                Issue.record("got \(String(describing: failure))")
                return
            }
            #expect(authID.count(.begin) == 1)
        }
    }

    // T-252
    @Test(arguments: [ScriptedReply.hang, .drip(size: 5000, every: .milliseconds(20))])
    func `an answer that does not come to its end is given up in time`(_ fault: ScriptedReply) async throws {
        try await FakeAuthID.run(.init(begin: { _ in fault })) { authID in
            async let failure = authID.beginFailure()
            try await authID.runOut(after: 1, .begin)
            #expect(await failure == .unavailable(cause: "starting a transaction: no complete answer in time"))
            #expect(authID.count(.begin) == 1)
        }
    }
}
