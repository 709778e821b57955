package import Crypto
package import Kernel

/// Makes codes and their stored digests, under a separate key.
///
/// All million codes are quickly tried, so that plain digests would reveal them to a reader of the rows.
package struct EmailCodeFactory: Sendable {
    private let key: KeyedHash

    package init(key: SymmetricKey) { self.key = KeyedHash(key: key) }

    /// Returns the six digits that belong to a link's token.
    ///
    /// They are 64 bits of the token's keyed digest modulo a million: uneven by less than 2^-44.
    func digits(of token: Secret) -> Secret {
        let word = key.digest(Array(token.expose().utf8), purpose: "digits").prefixWord
        let text = String(word % 1_000_000)
        return Secret(String(repeating: "0", count: 6 - text.utf8.count) + text)
    }

    /// Returns the stored digest of the code's digits.
    func digest(of digits: Secret, for id: EmailCodeID) -> Digest256 {
        key.digest(id.bits.bytes + Array(digits.expose().utf8), purpose: "code")
    }

    /// Returns the stored digest of an address.
    func digest(of address: EmailAddress) -> Digest256 { key.digest(Array(address.text.utf8), purpose: "address") }

    /// Returns a placeholder account id for an unknown address.
    ///
    /// It is the same each time, so that codes and tries for the address are counted as for an account.
    package func placeholderAccount(for address: EmailAddress) -> AccountID {
        placeholderAccount(for: digest(of: address))
    }

    func placeholderAccount(for address: Digest256) -> AccountID {
        AccountID(UUIDBits(version4: key.digest(address.bytes, purpose: "nobody").bytes))
    }
}
