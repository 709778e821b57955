package import Crypto
package import Kernel

/// Makes device cookies: the HMAC-SHA256 (RFC 2104) of the session's id under a key of its own, so that the same
/// session's answer, sent again, carries the same cookie, and no cookie is stored.
package struct DeviceCookieMint: Sendable {
    private let key: SymmetricKey

    package init(key: SymmetricKey) { self.key = key }

    /// The cookie's value: 256 bits, base64url.
    package func cookie(for session: SessionID) -> Secret {
        var mac = HMAC<SHA256>(key: key)
        mac.update(data: Array("device-cookie".utf8))
        mac.update(data: session.bits.bytes)
        return Secret(Base64URL.encode(mac.finalize()))
    }
}
