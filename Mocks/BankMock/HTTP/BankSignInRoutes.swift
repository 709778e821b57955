import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// The authorization endpoint: a page to pick a customer, which redirects the browser back with a code (RFC 6749 §4.1).
struct BankSignInRoutes: Sendable {
    let backend: SharedState<BankMockState>
    let gate: MockGate<BankMockState>

    func add(to router: Router<MockContext>) {
        router.get("/authorize", use: show)
        router.post("/authorize", use: decide)
    }

    @Sendable private func show(_ request: Request, _ context: MockContext) async throws -> Response {
        let query = MockForm(request.uri.query ?? "")
        return try await gate.serve(.authorize, context) { _ in
            refusal(of: query) ?? page
        }
    }

    /// Handles the form: the request is in the query, and the choice in the form.
    @Sendable private func decide(_ request: Request, _ context: MockContext) async throws -> Response {
        let query = MockForm(request.uri.query ?? "")
        let choice = try await request.form()
        return try await gate.serve(.authorize, context) { _ in
            if let refused = refusal(of: query) { return refused }
            guard choice["cancel"] == nil else { return back(query, [("error", "access_denied")]) }
            let inputs = backend.inputs
            let customer = choice["customer"] ?? ""
            let code = backend.with { state, now in state.issueCode(for: customer, query, at: now, inputs) }
            return code.map { back(query, [("code", $0)]) } ?? page
        }
    }

    private var page: MockReply {
        let (customers, bank) = backend.with { state, _ in (state.customers, state.name) }
        return BankPage.customers(customers, bank: bank)
    }

    /// Returns the refusal of a request; `nil` for a valid one.
    ///
    /// A code challenge by S256 is required: `plain` reveals the verifier in the address (RFC 9700 §2.1.1).
    private func refusal(of query: MockForm) -> MockReply? {
        let (isKnown, bank) = backend.with { state, _ in (state.grants.knows(query), state.name) }
        guard isKnown else { return BankPage.unknown(bank: bank) }
        guard query["response_type"] == "code" else { return back(query, [("error", "unsupported_response_type")]) }
        guard query["code_challenge"]?.utf8.count == 43, query["code_challenge_method"] == "S256" else {
            return back(query, [("error", "invalid_request"), ("error_description", "S256 is needed")])
        }
        return nil
    }

    private func back(_ query: MockForm, _ answer: [(String, String)]) -> MockReply {
        backend.with { state, _ in state.grants.back(query, answer) }
    }
}
