package import Crypto
import FoundationEssentials
package import Kernel

/// Seals push tokens with AES-256-GCM (NIST SP 800-38D), each for its device: whoever reads the database can send to
/// nobody, and can't move a token to another device.
package struct PushTokenSeal: Sendable {
    private let key: SymmetricKey
    private let facts: Facts

    package init(key: SymmetricKey, facts: Facts) {
        self.key = key
        self.facts = facts
    }

    func seal(_ token: Secret, for device: DeviceID) throws -> String {
        let nonce = try AES.GCM.Nonce(data: facts.randomBytes(12))
        let text = Array(token.expose().utf8)
        let box = try AES.GCM.seal(text, using: key, nonce: nonce, authenticating: device.bits.bytes)
        return Base64URL.encode(Array(nonce) + box.ciphertext + box.tag)
    }

    /// `nil` for what was not sealed under this key for this device.
    func open(_ sealed: String, for device: DeviceID) -> Secret? {
        guard let bytes = Base64URL.decode(sealed), let box = try? AES.GCM.SealedBox(combined: bytes),
            let text = try? AES.GCM.open(box, using: key, authenticating: device.bits.bytes)
        else { return nil }
        return Secret(String(decoding: text, as: UTF8.self))
    }
}
