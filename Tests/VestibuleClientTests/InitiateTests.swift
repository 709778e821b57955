import Foundation
import Testing

@testable import VestibuleClient

@Suite struct InitiateTests {
    @Test(arguments: [
        ScriptedTransport.Step.fault(.unreachable("no route")), .answer(500, ""), .answer(200, "{}"),
        .answer(429, Answers.problem("rate_limited"), headers: ["Retry-After": "3"]),
    ])
    func `initiate is repeated after a fault, each time with a new verifier`(fault: ScriptedTransport.Step) async throws
    {
        let harness = try Harness(
            initiate: [fault, fault, .answer(200, Answers.initiate())],
            poll: [.answer(200, Answers.completed)]
        )
        _ = try await harness.signIn()
        let bodies = harness.transport.calls(.initiate).compactMap(\.request.body)
        #expect(Set(bodies).count == 3)
    }

    @Test func `it gives up after four attempts and says why`() async throws {
        let harness = try Harness(initiate: [.fault(.unreachable("no route"))], poll: [])
        #expect(await harness.failure() == .networkError(.unreachable("no route")))
        #expect(harness.transport.calls(.initiate).count == 4)
        #expect(harness.transport.calls(.cancel).isEmpty)
        #expect(harness.opened.all.isEmpty)
    }

    @Test func `it gives up after twenty seconds of silence`() async throws {
        let harness = try Harness(initiate: [.silence], poll: [])
        #expect(await harness.failure() == .networkError(.timedOut))
        #expect(harness.time.uptime <= .seconds(20))
        #expect(harness.transport.calls(.initiate).count == 2)
    }

    @Test func `a server that asks for more patience than that is not asked again`() async throws {
        let harness = try Harness(
            initiate: [.answer(429, Answers.problem("rate_limited"), headers: ["Retry-After": "60"])],
            poll: []
        )
        #expect(
            await harness.failure()
                == .serverRefused(
                    ServerError(status: 429, code: "rate_limited", message: "Not so.", requestId: "req-7")
                )
        )
        #expect(harness.transport.calls(.initiate).count == 1)
        #expect(harness.time.uptime == .zero)
    }

    @Test(arguments: [400, 403, 404])
    func `a refusal is final`(status: Int) async throws {
        let harness = try Harness(initiate: [.answer(status, Answers.problem("client_required"))], poll: [])
        guard case .serverRefused(let refusal) = await harness.failure() else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == "client_required")
        #expect(harness.transport.calls(.initiate).count == 1)
    }

    @Test func `a certificate that is not trusted ends the tries`() async throws {
        let harness = try Harness(initiate: [.fault(.untrustedServer)], poll: [])
        #expect(await harness.failure() == .networkError(.untrustedServer))
        #expect(harness.transport.calls(.initiate).count == 1)
    }

    @Test(arguments: ["../../admin", "a/b", "", "a?b", "%2e%2e", String(repeating: "a", count: 129)])
    func `an operation id that would change the path is not used`(id: String) async throws {
        let harness = try Harness(initiate: [.answer(200, Answers.initiate(operation: id))], poll: [])
        #expect(await harness.failure() == .networkError(.unreadableAnswer))
        #expect(harness.transport.calls(.poll).isEmpty)
    }
}
