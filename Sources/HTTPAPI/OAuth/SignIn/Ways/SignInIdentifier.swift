import Accounts
import Kernel
import OAuth

/// The name under which a person wants to sign in, as they typed it.
///
/// Its form alone decides which ways the page offers. So the page is the same whether or not an account has the name.
struct SignInIdentifier: Sendable, Equatable {
    /// The name without surrounding spaces.
    let text: String
    /// The e-mail address; `nil` for a user name.
    let email: EmailAddress?

    init?(_ typed: String) {
        let bare = String(typed.trimmed)
        let email = EmailAddress(bare)
        guard bare.utf8.count <= Self.longest, email != nil || Username(bare) != nil else { return nil }
        text = bare
        self.email = email
    }

    /// The ways that the name can lead to: a face, a mail and a password belong to addresses.
    var ways: Set<SignInWay> { email == nil ? [.passkey] : Set(SignInWay.allCases) }

    /// The longest name in bytes, as long as an address (RFC 5321 §4.5.3.1.3).
    static let longest = 254
}
