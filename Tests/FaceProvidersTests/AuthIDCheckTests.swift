import FaceProviders
import Kernel
import Operations
import ScriptedServer
import Testing

struct AuthIDCheckTests {
    private static func status(_ number: Int, of transaction: String = "tx-1") -> ScriptedReply {
        .json(#"{"TransactionId":"\#(transaction)","Status":\#(number),"Message":""}"#)
    }

    @Test func `a check asks for that transaction with the token`() async throws {
        try await FakeAuthID.run { authID in
            let status = try await authID.check()
            #expect(status == .pending(.userInProvider))
            let request = try #require(authID.requests(.status).first)
            #expect(request.path.hasSuffix("/v2/transactions/tx-1/status"))
            #expect(request.header("Authorization") == "Bearer access-1")
        }
    }

    // T-055
    @Test func `an odd reference can't leave its place in the path`() async throws {
        try await FakeAuthID.run(.init(status: { _ in .json("{}") })) { authID in
            _ = try await authID.provider.check(ProviderReference("a/../b?c=d#e"))
            let request = try #require(authID.requests(.status).first)
            #expect(request.path.hasSuffix("/transactions/a%2F..%2Fb%3Fc%3Dd%23e/status"))
        }
    }

    @Test func `an accepted transaction approves`() async throws {
        try await FakeAuthID.run(.init(status: { _ in Self.status(1) })) { authID in
            let status = try await authID.check()
            #expect(status == .approved)
        }
    }

    // T-052
    @Test(arguments: [203, 205, 206, 207, 226, 299])
    func `attack: an approval in a 2xx answer other than the expected one does not approve`(_ status: Int) async throws
    {
        let body = #"{"TransactionId":"tx-1","Status":1}"#
        try await FakeAuthID.run(.init(status: { _ in .json(body, status: status) })) { authID in
            guard case .unavailable = await authID.checkFailure() else {
                Issue.record("not unavailable")
                return
            }
        }
        try await FakeAuthID.run(.init(token: { _ in .json(#"{"AccessToken":"a"}"#, status: status) })) { authID in
            #expect(await authID.checkFailure() != nil)
            #expect(authID.count(.status) == 0, "nor is a token taken from one")
        }
    }

    // T-050
    @Test func `another transaction's acceptance never approves`() async throws {
        try await FakeAuthID.run(.init(status: { _ in Self.status(1, of: "tx-2") })) { authID in
            let status = try await authID.check()
            #expect(status == .nonsense)
        }
    }

    @Test func `a transaction that authID does not know is reported as such`() async throws {
        let error = FakeAuthID.Replies.error(404, "E_TRANSACTION_NOT_FOUND")
        try await FakeAuthID.run(.init(status: { _ in error })) { authID in
            let status = try await authID.check()
            #expect(status == .unknownReference)
        }
    }

    @Test(arguments: ["", "null", "<html>", #"{"TransactionId":"tx-1","Status":1"#])
    func `an unreadable answer is nonsense`(_ body: String) async throws {
        try await FakeAuthID.run(.init(status: { _ in .json(body) })) { authID in
            let status = try await authID.check()
            #expect(status == .nonsense)
        }
    }

    @Test func `an answer that is too large is nonsense, even one that accepts`() async throws {
        let padding = String(repeating: " ", count: 3000)
        try await FakeAuthID.run(
            .init(status: { _ in .json(#"{"TransactionId":"tx-1","Status":1}\#(padding)"#) }),
            maxResponseBytes: 2000
        ) { authID in
            let status = try await authID.check()
            #expect(status == .nonsense)
        }
    }

    @Test func `a failure's page that is too large is still a failure`() async throws {
        let page = String(repeating: "x", count: 3000)
        try await FakeAuthID.run(.init(status: { _ in .answer(502, body: page) }), maxResponseBytes: 2000) { authID in
            let failure = await authID.checkFailure()
            #expect(failure == .unavailable(cause: "asking for a transaction's status: HTTP 502"))
        }
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `"not now" means unavailable`(_ status: Int) async throws {
        try await FakeAuthID.run(.init(status: { _ in FakeAuthID.Replies.error(status, "E_X") })) { authID in
            guard case .unavailable = await authID.checkFailure() else {
                Issue.record("not unavailable")
                return
            }
        }
    }

    @Test(arguments: [400, 409])
    func `"no" is a refusal`(_ status: Int) async throws {
        try await FakeAuthID.run(.init(status: { _ in FakeAuthID.Replies.error(status, "E_X") })) { authID in
            let failure = await authID.checkFailure()
            #expect(failure == .refused(cause: "asking for a transaction's status: HTTP \(status) E_X: No."))
        }
    }

    @Test(arguments: [
        ScriptedReply.reset, .raw("", thenClose: true),
        .raw("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"TransactionId\":", thenClose: true),
        .raw("garbage\r\n\r\n", thenClose: true), .answer(307, ["Location": "/"]),
    ])
    func `any breakage on the way means unavailable`(_ fault: ScriptedReply) async throws {
        try await FakeAuthID.run(.init(status: { _ in fault })) { authID in
            let failure = await authID.checkFailure()
            guard case .unavailable = failure else {
                Issue.record("got \(String(describing: failure))")
                return
            }
            #expect(authID.count(.status) == 1)
        }
    }

    @Test(arguments: [ScriptedReply.hang, .drip(size: 5000, every: .milliseconds(20))])
    func `an answer that does not come to its end is given up in time`(_ fault: ScriptedReply) async throws {
        try await FakeAuthID.run(.init(status: { _ in fault })) { authID in
            async let failure = authID.checkFailure()
            try await authID.runOut(after: 1, .status)
            let cause = "asking for a transaction's status: no complete answer in time"
            #expect(await failure == .unavailable(cause: cause))
        }
    }

    // T-049
    @Test func `a redirect is not followed`() async throws {
        let elsewhere = "/IDCompleteBackendEngine/Default/AuthorizationServiceRest/v2/transactions/tx-9/status"
        try await FakeAuthID.run(.init(status: { _ in .answer(302, ["Location": elsewhere]) })) { authID in
            _ = await authID.checkFailure()
            #expect(authID.count(.status) == 1)
        }
    }

    // T-049
    @Test func `a server with a certificate that nobody trusts gets no keys`() async throws {
        try await FakeAuthID.run(at: .loopbackTLS) { authID in
            guard case .unreached = await authID.checkFailure() else {
                Issue.record("not unreached")
                return
            }
            #expect(authID.server.requests.isEmpty)
        }
    }
}
