import Crypto
import FoundationEssentials
package import Kernel

/// The bytes that a secret encodes.
package enum WebhookKey {
    /// Standard Webhooks: 24 to 64 bytes in base64 behind `whsec_`; `nil` for anything else.
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

    /// Returns the code of the prefix and the body after it under each key.
    func codes(_ prefix: [UInt8], _ body: [UInt8]) -> [Digest256] { keys.map { $0.digest(prefix, body) } }

    /// Whether one of the codes is among the signatures.
    ///
    /// Every pair is compared, each in constant time: how long it takes says neither which one fits nor how far.
    static func isAny(of codes: [Digest256], among signatures: [[UInt8]]) -> Bool {
        var found = false
        for code in codes {
            for signature in signatures where ConstantTime.equal(code.bytes, signature) { found = true }
        }
        return found
    }
}
