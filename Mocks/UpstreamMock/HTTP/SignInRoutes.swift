import HTTPTypes
import Hummingbird
import Kernel
import MockServing

/// The authorization endpoint: a page with a form, which redirects the browser back with a code (RFC 6749 §4.1).
struct SignInRoutes: Sendable {
    let backend: SharedState<UpstreamMockState>
    let gate: MockGate<UpstreamMockState>

    func add(to router: Router<MockContext>) {
        router.get("/authorize", use: show)
        router.post("/authorize", use: signIn)
    }

    /// The request's parameters in the form; the mock stores nothing before the sign-in.
    private static let carried = ["response_type", "client_id", "redirect_uri", "state", "scope", "code_challenge"]

    @Sendable private func show(_ request: Request, _ context: MockContext) async throws -> Response {
        let form = MockForm(request.uri.query ?? "")
        return try await gate.serve(.authorize, context) { _ in
            guard isKnown(form) else { return Self.unknown }
            if let refusal = Self.refusal(of: form) { return back(form, [("error", refusal)]) }
            return Self.page(form, note: "")
        }
    }

    @Sendable private func signIn(_ request: Request, _ context: MockContext) async throws -> Response {
        let form = try await request.form()
        return try await gate.serve(.authorize, context) { _ in
            guard isKnown(form) else { return Self.unknown }
            guard form["cancel"] == nil else { return back(form, [("error", "access_denied")]) }
            let inputs = backend.inputs
            let code = backend.with { state, now -> String? in
                state.person(email: form["email"] ?? "", password: form["password"] ?? "").map { person in
                    state.grants.issueCode(for: person, form, at: now, inputs)
                }
            }
            guard let code else {
                return Self.page(form, note: #"<p class="fault" role="alert">Wrong e-mail or password.</p>"#)
            }
            return back(form, [("code", code)])
        }
    }

    private func isKnown(_ form: MockForm) -> Bool { backend.with { state, _ in state.grants.knows(form) } }

    private static func refusal(of form: MockForm) -> String? {
        guard form["response_type"] == "code" else { return "unsupported_response_type" }
        let method = form["code_challenge_method"]
        return form["code_challenge"] == nil || method == "S256" ? nil : "invalid_request"
    }

    private static let unknown = page(
        """
        <h1>Unknown client or redirect URI</h1>
        <p>Start upstream-mock with --redirect-uri and the address that the app sends.</p>
        """,
        .badRequest
    )

    private static func page(_ form: MockForm, note: String) -> MockReply {
        let hidden = carried.compactMap { name in
            form[name].map { #"<input type="hidden" name="\#(name)" value="\#(Markup.escape($0))">"# }
        }.joined(separator: "\n")
        let email = Markup.escape(form["email"] ?? "")
        return page(
            """
            <h1>Sign in</h1>
            <p>This plays the other server’s sign-in. <code>ada@example.com</code> has the password <code>ada-password</code>.</p>
            \(note)
            <form method="post" action="/authorize">
            \(hidden)
            <label>E-mail <input name="email" type="email" autocomplete="username" value="\(email)"></label>
            <label>Password <input name="password" type="password" autocomplete="current-password"></label>
            <button>Sign in</button>
            <button class="quiet" name="cancel" value="1">Cancel</button>
            </form>
            """
        )
    }

    private static func page(_ content: String, _ status: HTTPResponse.Status = .ok) -> MockReply {
        MockLook.page(title: "Sign in · Upstream mock", badge: "Test server", content: content, status)
    }

    private func back(_ form: MockForm, _ answer: [(String, String)]) -> MockReply {
        backend.with { state, _ in state.grants.back(form, answer) }
    }
}
