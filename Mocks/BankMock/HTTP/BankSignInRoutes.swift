import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// The authorization endpoint: a page to pick a customer, which sends the browser back with a code (RFC 6749 §4.1).
struct BankSignInRoutes: Sendable {
    let backend: SharedState<BankMockState>
    let gate: MockGate<BankMockState>

    func add(to router: Router<MockContext>) {
        router.get("/authorize", use: show)
        router.post("/authorize", use: decide)
    }

    @Sendable private func show(_ request: Request, _ context: MockContext) async throws -> Response {
        let order = MockForm(request.uri.query ?? "")
        return try await gate.serve(.authorize, context) { _ in
            refusal(of: order) ?? page
        }
    }

    /// The request stands in the query still, the choice in the form.
    @Sendable private func decide(_ request: Request, _ context: MockContext) async throws -> Response {
        let order = MockForm(request.uri.query ?? "")
        let choice = try await request.form()
        return try await gate.serve(.authorize, context) { _ in
            if let refused = refusal(of: order) { return refused }
            guard choice["cancel"] == nil else { return back(order, [("error", "access_denied")]) }
            let inputs = backend.inputs
            let customer = choice["customer"] ?? ""
            let code = backend.with { state, now in state.issueCode(for: customer, order, at: now, inputs) }
            return code.map { back(order, [("code", $0)]) } ?? page
        }
    }

    private var page: MockReply {
        let (customers, bank) = backend.with { state, _ in (state.customers, state.name) }
        return BankPage.customers(customers, bank: bank)
    }

    /// Why there is no page to pick from; `nil` for a request that is right.
    ///
    /// A code challenge has to be there, by S256: `plain` shows the verifier to whoever reads the address
    /// (RFC 9700 §2.1.1).
    private func refusal(of order: MockForm) -> MockReply? {
        let (isKnown, bank) = backend.with { state, _ in (state.grants.knows(order), state.name) }
        guard isKnown else { return BankPage.unknown(bank: bank) }
        guard order["response_type"] == "code" else { return back(order, [("error", "unsupported_response_type")]) }
        guard order["code_challenge"]?.utf8.count == 43, order["code_challenge_method"] == "S256" else {
            return back(order, [("error", "invalid_request"), ("error_description", "S256 is needed")])
        }
        return nil
    }

    private func back(_ order: MockForm, _ answer: [(String, String)]) -> MockReply {
        backend.with { state, _ in state.grants.back(order, answer) }
    }
}
