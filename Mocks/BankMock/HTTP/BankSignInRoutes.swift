import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// The authorization endpoint: a page to pick a customer, which sends the browser back with a code (RFC 6749 §4.1).
struct BankSignInRoutes: Sendable {
    let backend: BankMockBackend
    let gate: BankGate

    func add(to router: Router<MockContext>) {
        router.get("/authorize", use: show)
        router.post("/authorize", use: decide)
    }

    @Sendable private func show(_ request: Request, _ context: MockContext) async throws -> Response {
        let order = MockForm(request.uri.query ?? "")
        return try await gate.serve(.authorize, context) { _ in
            if let refused = refusal(of: order) { return refused }
            let (customers, bank) = backend.with { state, _ in (state.customers, state.configuration.name) }
            return BankPage.customers(customers, bank: bank)
        }
    }

    /// The request stands in the query still, the choice in the form.
    @Sendable private func decide(_ request: Request, _ context: MockContext) async throws -> Response {
        let order = MockForm(request.uri.query ?? "")
        let body = try await request.body.collect(upTo: 65_536)
        let choice = MockForm(String(buffer: body))
        return try await gate.serve(.authorize, context) { _ in
            if let refused = refusal(of: order) { return refused }
            guard choice["cancel"] == nil else { return back(order, [("error", "access_denied")]) }
            let inputs = backend.inputs
            let code = backend.with { state, now in
                state.issueCode(
                    for: choice["customer"] ?? "",
                    redirectURI: order["redirect_uri"] ?? "",
                    challenge: order["code_challenge"] ?? "",
                    at: now,
                    inputs
                )
            }
            guard let code else {
                let (customers, bank) = backend.with { state, _ in (state.customers, state.configuration.name) }
                return BankPage.customers(customers, bank: bank)
            }
            return back(order, [("code", code)])
        }
    }

    /// Why there is no page to pick from; `nil` for a request that is right.
    ///
    /// A code challenge has to be there, by S256: `plain` shows the verifier to whoever reads the address
    /// (RFC 9700 §2.1.1).
    private func refusal(of order: MockForm) -> MockReply? {
        let (client, address) = (order["client_id"] ?? "", order["redirect_uri"] ?? "")
        guard backend.with({ state, _ in state.isKnown(client: client, redirectURI: address) }) else {
            return BankPage.unknown(bank: backend.with { state, _ in state.configuration.name })
        }
        guard order["response_type"] == "code" else { return back(order, [("error", "unsupported_response_type")]) }
        guard order["code_challenge"]?.utf8.count == 43, order["code_challenge_method"] == "S256" else {
            return back(order, [("error", "invalid_request"), ("error_description", "S256 is needed")])
        }
        return nil
    }

    /// Appended to an address with a query or without one.
    private func back(_ order: MockForm, _ answer: [(String, String)]) -> MockReply {
        let address = order["redirect_uri"] ?? ""
        var parameters = answer
        if let state = order["state"] { parameters.append(("state", state)) }
        if let issuer = backend.with({ state, _ in state.configuration.issuer }) { parameters.append(("iss", issuer)) }
        return .redirect(to: QueryText.add(parameters, to: address))
    }
}
