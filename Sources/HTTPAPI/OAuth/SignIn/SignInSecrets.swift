package import Crypto
import Kernel
import Operations

/// What the server has to know again of an interaction without keeping it: each made of the interaction's id, by a keyed
/// hash.
package struct SignInSecrets: Sendable {
    private let keyed: KeyedHash

    package init(key: SymmetricKey) { keyed = KeyedHash(key: key) }

    /// SHA-256 of the code verifier of the interaction's face logins (RFC 7636): the server is their client.
    func challenge(of interaction: String) -> Digest256 {
        Digest256(sha256: Base64URL.encode(digest([], for: "verifier", in: interaction)))
    }

    /// The cookie of the web session that a face login opens: the same again for a browser that asks again because the
    /// answer was lost.
    func cookie(of session: SessionID, in interaction: String) -> Secret {
        Secret(Base64URL.encode(digest(session.bits.bytes, for: "cookie", in: interaction)))
    }

    /// What stands for an account in a form: nobody but that account's person agrees to what the form asks.
    func mark(of account: AccountID, in interaction: String) -> Secret {
        Secret(Base64URL.encode(digest(account.bits.bytes, for: "account", in: interaction)))
    }

    /// One key for several purposes is told apart by what is taken in first.
    private func digest(_ bytes: [UInt8], for purpose: String, in interaction: String) -> [UInt8] {
        keyed.digest(Array("\(purpose)\n\(interaction)\n".utf8), bytes).bytes
    }
}
