import HTTPTypes
package import Hummingbird
import Kernel

/// `/_mock`: what testers steer in every mock with an authorization server.
///
/// It has no keys; the mock listens on loopback for that reason.
package struct MockControl<State: AuthorizationMock>: Sendable {
    private let backend: SharedState<State>

    package init(_ backend: SharedState<State>) { self.backend = backend }

    package func add(to router: Router<MockContext>) {
        router.put("/_mock/faults", use: setFault)
        router.delete("/_mock/faults", use: clearFaults)
        router.put("/_mock/redirect-uris", use: setRedirectURIs)
        router.delete("/_mock/requests", use: clearCounts)
    }

    private struct FaultRequest: Decodable {
        let target: State.Kind.Call
        let fault: State.Kind
        let count: Int?
        let ms: Int64?
    }

    @Sendable private func setFault(_ request: Request, _: MockContext) async throws -> Response {
        guard let command = try await request.json(FaultRequest.self), command.fault.applies(to: command.target),
            (command.count ?? 1) > 0, (0...600_000).contains(command.ms ?? 0)
        else {
            let calls = State.Kind.Call.allCases.map(\.rawValue).joined(separator: ", ")
            let kinds = State.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            return MockReply.error("send {target, fault, count?, ms?}. Targets: \(calls). Faults: \(kinds).").response
        }
        let fault = MockFault(command.fault, count: command.count, delay: .milliseconds(command.ms ?? 2000))
        backend.with { state, _ in state.calls.setFault(fault, on: command.target) }
        return Response(status: .noContent)
    }

    @Sendable private func clearFaults(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, _ in state.calls.clearFaults() }
        return Response(status: .noContent)
    }

    /// `["https://…", …]`: known to no one before the servers that they lead to have a port.
    @Sendable private func setRedirectURIs(_ request: Request, _: MockContext) async throws -> Response {
        guard let addresses = try await request.json([String].self) else {
            return MockReply.error("send a list of addresses").response
        }
        backend.with { state, _ in state.grants.redirectURIs = Set(addresses) }
        return Response(status: .noContent)
    }

    @Sendable private func clearCounts(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, _ in state.calls.clearCounts() }
        return Response(status: .noContent)
    }
}
