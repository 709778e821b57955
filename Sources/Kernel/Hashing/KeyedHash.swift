package import Crypto

/// HMAC-SHA256 (RFC 2104) under one key.
///
/// The key is prepared once: preparing it costs more than hashing a short message. A key with several purposes is used
/// through ``digest(_:purpose:)``, so that no value of one purpose is a value of another.
///
/// Made of two hashes of the library. Its own `HMAC` takes each part as a collection of regions, which in a short message
/// costs more than the hash itself; a login's start hashes seven of them.
package struct KeyedHash: Sendable {
    /// The hash of the key with the byte `ipad`, to be followed by the message.
    private let inner: SHA256
    /// The hash of the key with the byte `opad`, to be followed by the inner digest.
    private let outer: SHA256

    package init(key: SymmetricKey) {
        // RFC 2104 §2: a key longer than a block is hashed, and a shorter one ends in zeros.
        var block = key.withUnsafeBytes { Array($0) }
        if block.count > SHA256.blockByteCount { block = Array(SHA256.hash(data: block)) }
        block += [UInt8](repeating: 0, count: SHA256.blockByteCount - block.count)
        inner = Self.hash(block.map { $0 ^ 0x36 })
        outer = Self.hash(block.map { $0 ^ 0x5C })
    }

    private static func hash(_ block: [UInt8]) -> SHA256 {
        var hash = SHA256()
        hash.update(data: block)
        return hash
    }

    package init(key: Digest256) { self.init(key: SymmetricKey(data: key.bytes)) }

    /// Makes a random key that lives as long as this value.
    ///
    /// A caller who chooses the hashed bytes can't predict the digest.
    package init(randomFrom environment: Environment) {
        self.init(key: SymmetricKey(data: environment.randomBytes(32)))
    }

    /// Returns the HMAC of the parts, concatenated without separators.
    package func digest(_ parts: [UInt8]...) -> Digest256 {
        var message = inner
        for part in parts { part.withUnsafeBytes { message.update(bufferPointer: $0) } }
        var code = outer
        message.finalize().withUnsafeBytes { code.update(bufferPointer: $0) }
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
