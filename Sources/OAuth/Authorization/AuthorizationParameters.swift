/// The parameters of an authorization request as received.
///
/// Only `resource` may be repeated (RFC 6749 §3.1, RFC 8707 §2).
package struct AuthorizationParameters: Sendable, Equatable {
    package private(set) var values: [String: String]
    package let resources: [String]

    /// The names that ``AuthorizationRequestReader`` understands, besides `resource`.
    static let understood: Set<String> = [
        "acr_values", "claims", "client_id", "code_challenge", "code_challenge_method", "dpop_jkt", "id_token_hint",
        "login_hint", "max_age", "nonce", "prompt", "redirect_uri", "response_mode", "response_type", "scope", "state",
        "ui_locales",
    ]

    package init(values: [String: String], resources: [String] = []) {
        self.values = values.filter { !$0.value.isEmpty }
        self.resources = resources
    }

    /// The value of a parameter; `nil` if the parameter was left out or is empty.
    package subscript(_ name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }
}
