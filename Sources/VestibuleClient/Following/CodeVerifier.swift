import Crypto
import Foundation

/// A PKCE code verifier: the secret that binds a login to the process that started it (RFC 7636 §4.1).
///
/// An attacker who learns the operation's id cannot get its tokens without the verifier.
struct CodeVerifier: Sendable, Equatable {
    /// The verifier as it is sent: base64url of 32 random bytes, 43 characters.
    let text: String

    /// Creates a verifier from random bytes.
    ///
    /// RFC 7636 §4.1 recommends 32.
    init(bytes: [UInt8]) { text = Self.base64URL(Data(bytes)) }

    /// The challenge that is sent with the start: base64url of the SHA-256 of the ASCII verifier (`S256`, RFC 7636
    /// §4.2).
    var challenge: String { Self.base64URL(Data(SHA256.hash(data: Data(text.utf8)))) }

    /// Creates a verifier from its text, for the test with RFC 7636 appendix B.
    init(text: String) { self.text = text }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
