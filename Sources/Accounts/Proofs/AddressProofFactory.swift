package import Crypto
import Kernel

/// Makes and reads the tokens of links that verify an address.
///
/// A token names the account, the session that requested the address, its own expiry and the client that the person
/// uses. An HMAC (RFC 2104) covers these and the address. The token is stored nowhere. A link that is followed twice
/// verifies the same address again. A link to an address that the account no longer has or claims verifies nothing.
package struct AddressProofFactory: Sendable {
    /// The length of account, session and expiry; the client's id and then the HMAC follow.
    private static let fixed = 16 + 16 + 8
    private static let longestClient = 128

    private let key: KeyedHash

    package init(key: SymmetricKey) { self.key = KeyedHash(key: key) }

    /// `session`: `nil` where the account was just opened.
    func token(
        for email: EmailAddress,
        of account: AccountID,
        askedIn session: SessionID?,
        at client: String,
        until end: Instant
    ) -> Secret {
        let claim =
            account.bits.bytes + (session ?? Self.noSession).bits.bytes + Self.bytes(of: end)
            + client.utf8.prefix(Self.longestClient)
        return Secret(Base64URL.encode(claim + code(claim, email)))
    }

    /// Reads a token's claims without checking them, which ``isGood(_:for:)`` does.
    func read(_ token: Secret) -> AddressProof? {
        guard let bytes = Base64URL.decode(token.expose()),
            (Self.fixed + 32...Self.fixed + Self.longestClient + 32).contains(bytes.count)
        else { return nil }
        let claim = Array(bytes.dropLast(32))
        let words = [0, 8, 16, 24, 32].map { start in
            bytes[start..<(start + 8)].reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        }
        let session = SessionID(UUIDBits(high: words[2], low: words[3]))
        return AddressProof(
            account: AccountID(UUIDBits(high: words[0], low: words[1])),
            session: session == Self.noSession ? nil : session,
            expiresAt: Instant(milliseconds: Int64(bitPattern: words[4])),
            client: String(decoding: claim.dropFirst(Self.fixed), as: UTF8.self),
            claim: claim,
            code: Array(bytes.suffix(32))
        )
    }

    /// Whether this factory made the proof, for that address.
    func isGood(_ proof: AddressProof, for email: EmailAddress) -> Bool {
        ConstantTime.equal(proof.code, code(proof.claim, email))
    }

    private func code(_ claim: [UInt8], _ email: EmailAddress) -> [UInt8] {
        key.digest(claim, Array(email.text.utf8)).bytes
    }

    /// Returns a keyed digest of texts and bytes, which the codes use too.
    func digest(_ texts: [String], _ bytes: [UInt8]) -> [UInt8] {
        key.digest(texts.flatMap { Array($0.utf8) + [0] }, bytes).bytes
    }

    private static let noSession = SessionID(UUIDBits(high: 0, low: 0))

    private static func bytes(of instant: Instant) -> [UInt8] {
        withUnsafeBytes(of: instant.milliseconds.bigEndian) { Array($0) }
    }
}

/// The claims of a link's token.
struct AddressProof: Sendable {
    let account: AccountID
    /// The session that requested the link; `nil` if the account was just opened.
    let session: SessionID?
    let expiresAt: Instant
    /// The client that the person used; empty in a link of an earlier version.
    let client: String
    let claim: [UInt8]
    let code: [UInt8]
}
