import Testing

@testable import OAuth

/// By what ways codes and tokens don't go (RFC 9700 §2.1.2, §4.17).
struct ResponseKindTests {
    private let fixture = AuthorizationFixture()

    // O-014, O-066
    @Test(arguments: [
        ("response_type", "token"), ("response_type", "id_token"), ("response_type", "id_token token"),
        ("response_type", "code token"), ("response_type", "code id_token token"), ("response_type", "none"),
        ("response_type", "code code"), ("response_type", " code"),
    ])
    func `attack: a response_type that returns tokens gets unsupported_response_type`(_ name: String, _ value: String) {
        #expect(fixture.refusal([name: value]) == .told(.unsupportedResponseType))
    }

    // O-015
    /// `web_message` is a message to a window (RFC 9700 §4.17), `fragment` stays in the browser's history and scripts.
    @Test(arguments: ["web_message", "fragment", "query.jwt", "fragment.jwt", "form_post.jwt", "jwt", "QUERY", "popup"])
    func `attack: every response_mode but query and form_post gets invalid_request`(_ mode: String) {
        #expect(fixture.refusal(["response_mode": mode]) == .told(.invalidRequest))
        #expect(AuthorizationRequest.ResponseMode.allCases.map(\.rawValue).sorted() == ["form_post", "query"])
    }
}
