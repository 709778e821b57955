/// The parameters of an authorization request as they came, each once but for `resource` (RFC 6749 §3.1, RFC 8707 §2).
package struct AuthorizationParameters: Sendable, Equatable {
    package private(set) var values: [String: String]
    package let resources: [String]

    package init(values: [String: String], resources: [String] = []) {
        self.values = values.filter { !$0.value.isEmpty }
        self.resources = resources
    }

    /// The parameter of that name; `nil` if it was left out or is empty.
    package subscript(_ name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }
}
