import Accounts
import Hummingbird
import Kernel
import Operations
import Web

/// A form of the sign-in page, as it was sent.
struct SignInForm: Sendable {
    private let text: String

    /// The largest form in bytes: a password with every byte escaped, and an address.
    private static let limit = FormBody.passwordLimit + 2048

    init(_ request: Request) async throws { text = try await FormBody.text(of: request, upTo: Self.limit) ?? "" }

    /// Returns the field of that name; empty without one.
    func field(_ name: String) -> String { FormBody.field(name, in: text) ?? "" }

    /// The name as typed, shortened to what a field shows again.
    var typed: String {
        String((FormBody.field("identifier", in: text) ?? field("email")).prefix(SignInIdentifier.longest))
    }

    var identifier: SignInIdentifier? { SignInIdentifier(FormBody.field("identifier", in: text) ?? field("email")) }

    var email: EmailAddress? { SignInIdentifier(field("email"))?.email }

    var password: Secret { Secret(field("password")) }

    var mode: LoginMode { LoginMode(rawValue: field("mode")) ?? .sameDevice }

    /// The six digits of a code, without the spaces and hyphens that people type; `nil` for another text.
    var digits: Secret? {
        let digits = field("code").filter { $0 != " " && $0 != "-" }
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Secret(digits)
    }

    /// Whether the page's script has found that this browser can keep a passkey.
    var canKeepPasskeys: Bool { field("able") == Self.able }

    static let able = "1"
}

/// The reason why a form of the sign-in page leads back to its page.
enum SignInFault: Sendable {
    case wrong(SignInKey)
    /// Too many tries; the page says for how long.
    case wait(Duration)
}
