/// A claim about the person in id tokens, if its scope was granted.
///
/// The client's settings or the parameter `claims` ask for it. Other clients ask `/oauth/userinfo`, whose answer is not
/// stored in logs or browsers (OpenID Connect Core §5.4).
package enum IdentityClaim: String, Sendable, CaseIterable {
    case name
    case preferredUsername = "preferred_username"
    /// The e-mail address, together with `email_verified`.
    case email

    /// Creates the claim that a request names (OpenID Connect Core §5.1); `nil` for an unknown claim or one that is
    /// always included.
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
