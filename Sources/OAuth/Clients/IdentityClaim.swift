/// What a client's id tokens may say of the person, beside who they are: where it is set so, or the request asks for it by the
/// parameter `claims`, and the scope was granted.
///
/// Others ask `/oauth/userinfo`, whose answer no log and no browser keeps (OpenID Connect Core §5.4).
package enum IdentityClaim: String, Sendable, CaseIterable {
    case name
    case preferredUsername = "preferred_username"
    /// With `email_verified`.
    case email

    /// The claim that a request asks for by that name (OpenID Connect Core §5.1); `nil` for one that there is not, or that is always
    /// there.
    init?(requested name: String) { self.init(rawValue: name == "email_verified" ? Self.email.rawValue : name) }

    /// The scope by which a person lets a client have it (OpenID Connect Core §5.4).
    package var scope: String {
        switch self {
        case .name, .preferredUsername: ScopeSet.profile
        case .email: ScopeSet.email
        }
    }

    /// All of them, for whoever has to write one.
    package static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
