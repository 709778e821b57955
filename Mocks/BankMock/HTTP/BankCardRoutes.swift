import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// The route `GET /cards`, which returns a customer's cards.
struct BankCardRoutes: Sendable {
    let backend: SharedState<BankMockState>
    let gate: MockGate<BankMockState>

    func add(to router: Router<MockContext>) { router.get("/cards", use: list) }

    private struct Cards: Encodable {
        let cards: [BankMockCard]
    }

    @Sendable private func list(_ request: Request, _ context: MockContext) async throws -> Response {
        let token = request.bearer
        return try await gate.serve(.cards, context) { fault in
            let cards = backend.with { state, now in state.cards(behind: token, at: now) }
            guard let cards, fault != .refuse else { return .error("invalid_token", .unauthorized) }
            return try .json(encoding: Cards(cards: cards))
        }
    }
}
