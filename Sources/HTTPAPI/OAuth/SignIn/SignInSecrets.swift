import Crypto
import Kernel
import Operations

/// The secrets of an interaction that the server derives from its id by a keyed hash, instead of storing them.
struct SignInSecrets: Sendable {
    private let keyed: KeyedHash

    init(key: SymmetricKey) { keyed = KeyedHash(key: key) }

    /// Returns the code challenge of the interaction's face logins (RFC 7636), whose client is this server itself.
    func challenge(of interaction: String) -> Digest256 {
        Digest256(sha256: Base64URL.encode(digest([], for: "verifier", in: interaction)))
    }

    /// Returns the cookie of the web session that a face login opens: the same each time, in case an answer was lost.
    func cookie(of session: SessionID, in interaction: String) -> Secret {
        Secret(Base64URL.encode(digest(session.bits.bytes, for: "cookie", in: interaction)))
    }

    /// Returns the keyed hash of an account in a form, which shows that the person of that account is the one who
    /// agrees.
    func mark(of account: AccountID, in interaction: String) -> Secret {
        Secret(Base64URL.encode(digest(account.bits.bytes, for: "account", in: interaction)))
    }

    /// The purpose comes first in the input, so that one key serves several purposes.
    private func digest(_ bytes: [UInt8], for purpose: String, in interaction: String) -> [UInt8] {
        keyed.digest(Array("\(purpose)\n\(interaction)\n".utf8), bytes).bytes
    }
}
