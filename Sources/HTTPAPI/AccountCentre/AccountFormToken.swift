import Crypto
import Hummingbird
import Kernel

/// The token in every form of the account centre, which only a page for this browser's session can have.
///
/// It is an HMAC under the session's cookie. A page of another site can neither read the cookie nor the form, and the
/// token reveals nothing of the cookie. A new sign-in has a new cookie, and so new tokens.
enum AccountFormToken {
    static let field = "token"
    private static let purpose = Array("vestibule/1/account/form".utf8)

    /// Returns the token of the request's browser; `nil` without a session's cookie.
    static func token(_ request: Request, _ cookies: CompanionCookies) -> String? {
        cookies.secret(request).map { cookie in
            let key = SymmetricKey(data: Array(cookie.expose().utf8))
            return Base64URL.encode(Array(HMAC<SHA256>.authenticationCode(for: purpose, using: key)))
        }
    }

    /// Returns whether the form has the token of the request's browser.
    static func isRight(_ form: String, for request: Request, _ cookies: CompanionCookies) -> Bool {
        guard let sent = FormBody.field(field, in: form), let own = token(request, cookies) else { return false }
        return Digest256(sha256: sent).matches(Digest256(sha256: own))
    }
}
