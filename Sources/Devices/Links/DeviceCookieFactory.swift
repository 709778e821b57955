package import Crypto
package import Kernel

/// Makes device cookies: half of each is the HMAC-SHA256 (RFC 2104) of the session's id under a key of its own, so that
/// the same session's answer, sent again, carries the same cookie, and no cookie is stored; the other half is the
/// HMAC-SHA256 of the first, so that a cookie of ours is known without a look at the store.
package struct DeviceCookieFactory: Sendable {
    /// Of either half: 128 bits.
    private static let half = 16

    private let key: KeyedHash

    package init(key: SymmetricKey) { self.key = KeyedHash(key: key) }

    /// The cookie's value: 256 bits, base64url.
    package func cookie(for session: SessionID) -> Secret {
        let name = code("device-cookie", session.bits.bytes)
        return Secret(Base64URL.encode(name + code("device-cookie-mark", name)))
    }

    /// Whether that was minted here, whoever for and however long ago: it proves no device, only that guessing did not
    /// make it.
    package func isMinted(_ text: some StringProtocol) -> Bool {
        guard let bytes = Base64URL.decode(text), bytes.count == 2 * Self.half else { return false }
        let mark = code("device-cookie-mark", Array(bytes.prefix(Self.half)))
        return zip(mark, bytes.suffix(Self.half)).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func code(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        Array(key.digest(Array(label.utf8), bytes).bytes.prefix(Self.half))
    }
}
