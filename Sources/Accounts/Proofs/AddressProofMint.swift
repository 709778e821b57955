package import Crypto
import Kernel

/// Makes and reads the tokens of links that prove an address.
///
/// A token tells the account and when it ends, under an HMAC (RFC 2104) that covers the address too: nothing is
/// stored, a link that is followed twice proves what is proven already, and one to an address that the account no
/// longer has proves nothing.
package struct AddressProofMint: Sendable {
    private static let length = 16 + 8 + 32

    private let key: SymmetricKey

    package init(key: SymmetricKey) { self.key = key }

    func token(for email: EmailAddress, of account: AccountID, until end: Instant) -> Secret {
        let claim = account.bits.bytes + Self.bytes(of: end)
        return Secret(Base64URL.encode(claim + code(claim, email)))
    }

    /// What a token says, whoever made it: for ``isGood(_:for:)`` to judge.
    func read(_ token: Secret) -> AddressProof? {
        guard let bytes = Base64URL.decode(token.expose()), bytes.count == Self.length else { return nil }
        let words = [0, 8, 16].map { start in
            bytes[start..<(start + 8)].reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        }
        return AddressProof(
            account: AccountID(UUIDBits(high: words[0], low: words[1])),
            expiresAt: Instant(milliseconds: Int64(bitPattern: words[2])),
            claim: Array(bytes.prefix(24)),
            code: Array(bytes.suffix(32))
        )
    }

    /// Whether the proof was made here, for that address.
    func isGood(_ proof: AddressProof, for email: EmailAddress) -> Bool {
        ConstantTime.equal(proof.code, code(proof.claim, email))
    }

    private func code(_ claim: [UInt8], _ email: EmailAddress) -> [UInt8] {
        var mac = HMAC<SHA256>(key: key)
        mac.update(data: claim)
        mac.update(data: Array(email.text.utf8))
        return Array(mac.finalize())
    }

    private static func bytes(of instant: Instant) -> [UInt8] {
        withUnsafeBytes(of: instant.milliseconds.bigEndian) { Array($0) }
    }
}

/// What a link's token says.
struct AddressProof: Sendable {
    let account: AccountID
    let expiresAt: Instant
    let claim: [UInt8]
    let code: [UInt8]
}
