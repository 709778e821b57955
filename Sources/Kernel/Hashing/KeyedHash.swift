package import Crypto

/// HMAC-SHA256 (RFC 2104) under one key.
///
/// The key is prepared once: preparing it costs more than hashing a short message. A key with several purposes is used
/// through ``digest(_:purpose:)``, so that no value of one purpose is a value of another.
package struct KeyedHash: Sendable {
    private let prepared: HMAC<SHA256>

    package init(key: SymmetricKey) { prepared = HMAC(key: key) }

    package init(key: Digest256) { self.init(key: SymmetricKey(data: key.bytes)) }

    /// Makes a random key that lives as long as this value.
    ///
    /// A caller who chooses the hashed bytes can't predict the digest.
    package init(randomFrom environment: Environment) {
        self.init(key: SymmetricKey(data: environment.randomBytes(32)))
    }

    /// Returns the HMAC of the parts, concatenated without separators.
    package func digest(_ parts: [UInt8]...) -> Digest256 {
        var code = prepared
        for part in parts { code.update(data: part) }
        return Digest256(code.finalize())
    }

    /// Returns the HMAC of the bytes for one of several purposes.
    ///
    /// - Parameters:
    ///   - bytes: The hashed bytes.
    ///   - purpose: A text without a zero byte. The hash covers it, a zero byte, and then `bytes`.
    /// - Returns: 256 bits that look random without the key.
    package func digest(_ bytes: [UInt8], purpose: String) -> Digest256 { digest(Array(purpose.utf8) + [0], bytes) }
}
