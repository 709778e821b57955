package import Crypto
package import Kernel

/// Makes device cookies.
///
/// Half of each cookie is the HMAC-SHA256 (RFC 2104) of the session's id under a separate key. So the same session's
/// answer, sent again, carries the same cookie, and no cookie is stored. The other half is the HMAC-SHA256 of the first
/// half, so that the server's own cookies are recognised without reading the database.
package struct DeviceCookieFactory: Sendable {
    /// The length of either half: 128 bits.
    private static let half = 16

    private let key: KeyedHash

    package init(key: SymmetricKey) { self.key = KeyedHash(key: key) }

    /// Returns the cookie's value: 256 bits, base64url.
    package func cookie(for session: SessionID) -> Secret {
        let name = code("device-cookie", session.bits.bytes)
        return Secret(Base64URL.encode(name + code("device-cookie-mark", name)))
    }

    /// Whether this factory made the cookie, for any session and at any time.
    ///
    /// An issued cookie does not prove a device, but was not guessed.
    package func isIssued(_ text: some StringProtocol) -> Bool {
        guard let bytes = Base64URL.decode(text), bytes.count == 2 * Self.half else { return false }
        let mark = code("device-cookie-mark", Array(bytes.prefix(Self.half)))
        return zip(mark, bytes.suffix(Self.half)).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func code(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        Array(key.digest(Array(label.utf8), bytes).bytes.prefix(Self.half))
    }
}
