import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// The controls and counts for testers of a bank, besides those of ``MockControl``.
struct BankControl: Sendable {
    let backend: SharedState<BankMockState>

    func add(to router: Router<MockContext>) {
        router.put("/_mock/customers/{customer}/cards", use: setCards)
        router.delete("/_mock/tokens", use: revokeTokens)
        router.get("/_mock/requests", use: showCounts)
    }

    private struct Counts: Encodable {
        let counts: [String: Int]
    }

    @Sendable private func setCards(_ request: Request, _ context: MockContext) async throws -> Response {
        let customer = context.parameters.get("customer") ?? ""
        guard let cards = try await request.json([BankMockCard].self) else {
            return MockReply.error("send a list of {id, lastFour, network}").response
        }
        guard backend.with({ state, _ in state.setCards(cards, of: customer) }) else {
            return MockReply.error("no such customer", .notFound).response
        }
        return Response(status: .noContent)
    }

    @Sendable private func revokeTokens(_: Request, _: MockContext) async throws -> Response {
        backend.with { state, _ in state.grants.revokeTokens() }
        return Response(status: .noContent)
    }

    @Sendable private func showCounts(_: Request, _: MockContext) async throws -> Response {
        let counts = backend.with { state, _ in Counts(counts: state.calls.countsByName) }
        return try MockReply.json(encoding: counts).response
    }
}
