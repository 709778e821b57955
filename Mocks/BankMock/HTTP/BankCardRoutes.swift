import FoundationEssentials
import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// `GET /cards`: what a customer lets the wallet see.
struct BankCardRoutes: Sendable {
    let backend: BankMockBackend
    let gate: BankGate

    func add(to router: Router<MockContext>) { router.get("/cards", use: list) }

    private struct Cards: Encodable {
        let cards: [BankMockCard]
    }

    @Sendable private func list(_ request: Request, _ context: MockContext) async throws -> Response {
        let header = request.headers[.authorization] ?? ""
        return try await gate.serve(.cards, context) { fault in
            let token = header.hasPrefix("Bearer ") ? String(header.dropFirst(7)) : ""
            let cards = backend.with { state, now in state.cards(behind: token, at: now) }
            guard let cards, fault != .refuse else { return .json(#"{"error":"invalid_token"}"#, .unauthorized) }
            return .json(String(decoding: try JSONEncoder().encode(Cards(cards: cards)), as: UTF8.self))
        }
    }
}
