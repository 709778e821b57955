import Crypto
import Kernel

extension Digest256 {
    /// SHA-256 of a text of high entropy.
    init(sha256 text: String) { self.init(sha256: Array(text.utf8)) }

    init(sha256 bytes: [UInt8]) { self = SHA256.hash(data: bytes).withUnsafeBytes { Digest256($0) } ?? .zero }
}
