/// A claim about the person in id tokens, by the client's settings or by the parameter `claims`, if its scope was granted.
///
/// Other clients ask `/oauth/userinfo`, whose answer no log and no browser stores (OpenID Connect Core §5.4).
package enum IdentityClaim: String, Sendable, CaseIterable {
    case name
    case preferredUsername = "preferred_username"
    /// The address, together with `email_verified`.
    case email

    /// Returns the claim of a name in a request (OpenID Connect Core §5.1); `nil` for an unknown one, or one always included.
    init?(requested name: String) { self.init(rawValue: name == "email_verified" ? Self.email.rawValue : name) }

    /// The scope that grants the claim (OpenID Connect Core §5.4).
    package var scope: String {
        switch self {
        case .name, .preferredUsername: ScopeSet.profile
        case .email: ScopeSet.email
        }
    }

    /// The names of all claims, for messages.
    package static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
