import Crypto
import FoundationEssentials
package import Kernel

/// Decodes the key bytes of a secret.
package enum WebhookKey {
    /// Returns a key of Standard Webhooks: 24 to 64 bytes in base64 after `whsec_`; `nil` for anything else.
    package static func standard(_ secret: Secret) -> [UInt8]? {
        let text = secret.expose()
        guard text.hasPrefix("whsec_"), let data = Data(base64Encoded: String(text.dropFirst(6))) else { return nil }
        return (24...64).contains(data.count) ? Array(data) : nil
    }
}

/// HMAC-SHA256 under each of several keys.
struct WebhookMAC: Sendable {
    private let keys: [KeyedHash]

    init(keys: [[UInt8]]) { self.keys = keys.map { KeyedHash(key: SymmetricKey(data: $0)) } }

    /// Returns the HMAC of the prefix followed by the body, under each key.
    func codes(_ prefix: [UInt8], _ body: [UInt8]) -> [Digest256] { keys.map { $0.digest(prefix, body) } }

    /// Whether one of the codes is among the signatures.
    ///
    /// Every pair is compared, each in constant time. So the duration reveals neither which pair fits nor how much of
    /// it.
    static func isAny(of codes: [Digest256], among signatures: [[UInt8]]) -> Bool {
        var found = false
        for code in codes {
            for signature in signatures where ConstantTime.equal(code.bytes, signature) { found = true }
        }
        return found
    }
}
