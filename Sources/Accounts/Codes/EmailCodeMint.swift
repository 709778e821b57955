package import Crypto
import Kernel

/// Makes codes and what is kept of them, under a key of its own.
///
/// A million codes are soon tried: whoever reads the rows without the key learns none from their digests.
package struct EmailCodeMint: Sendable {
    private let key: SymmetricKey

    package init(key: SymmetricKey) { self.key = key }

    /// The six digits behind a link's token.
    ///
    /// 64 bits of it modulo a million: uneven by less than 2^-44.
    func digits(of token: Secret) -> Secret {
        let word = code("digits", Array(token.expose().utf8)).prefixWord
        let text = String(word % 1_000_000)
        return Secret(String(repeating: "0", count: 6 - text.utf8.count) + text)
    }

    /// What is kept of the digits of that code.
    func digest(of digits: Secret, for id: EmailCodeID) -> Digest256 {
        code("code", id.bits.bytes + Array(digits.expose().utf8))
    }

    /// What is kept of an address.
    func digest(of address: EmailAddress) -> Digest256 { code("address", Array(address.text.utf8)) }

    /// In the place of an account, for an address that nobody has: the same each time, so that its codes and tries are
    /// counted as an account's are.
    func standIn(for address: Digest256) -> AccountID {
        AccountID(UUIDBits(version4: code("nobody", address.bytes).bytes))
    }

    private func code(_ label: String, _ bytes: [UInt8]) -> Digest256 {
        var mac = HMAC<SHA256>(key: key)
        mac.update(data: Array(label.utf8) + [0])
        mac.update(data: bytes)
        return mac.finalize().withUnsafeBytes { Digest256($0) } ?? .zero
    }
}
