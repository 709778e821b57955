import Hummingbird
import Kernel
import MockServing

/// The counts for testers of an upstream, besides the controls of ``MockControl``.
struct UpstreamControl: Sendable {
    let backend: SharedState<UpstreamMockState>

    func add(to router: Router<MockContext>) { router.get("/_mock/requests", use: showCounts) }

    private struct Counts: Encodable {
        let counts: [String: Int]
        let lastTokenParameters: [String]
    }

    @Sendable private func showCounts(_: Request, _: MockContext) async throws -> Response {
        let counts = backend.with { state, _ in
            Counts(counts: state.calls.countsByName, lastTokenParameters: state.grants.lastTokenParameters)
        }
        return try MockReply.json(encoding: counts).response
    }
}
