import Crypto
import Kernel

extension Digest256 {
    /// SHA-256 of the secret's UTF-8.
    init(of secret: Secret) {
        self = SHA256.hash(data: Array(secret.expose().utf8)).withUnsafeBytes { Digest256($0) } ?? .zero
    }
}
