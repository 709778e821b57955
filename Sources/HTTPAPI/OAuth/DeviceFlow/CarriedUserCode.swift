import Crypto
import Kernel
import OAuth

/// A user code on its way through the sign-in page and back, in the address that the browser is sent back to.
///
/// That address stands in the rows of the interaction and of its code, and a user code stands in no row (RFC 8628 §5.1 has
/// short codes): it is sealed (AES-256-GCM) under a key made of the browser's own cookie, of which the store has a digest
/// alone. So nobody reads it there, and it fills in nobody else's page.
enum CarriedUserCode {
    /// The parameter of the page's address.
    static let parameter = "carried"

    private static let purpose = Array("vestibule/1/device/user-code".utf8)

    /// `browser`: the cookie by which the browser goes on with its requests; 256 random bits.
    static func seal(_ code: UserCode, for browser: Secret, _ facts: Facts) throws -> String {
        let nonce = try AES.GCM.Nonce(data: facts.randomBytes(12))
        let text = Array(code.text.utf8)
        let box = try AES.GCM.seal(text, using: key(browser), nonce: nonce, authenticating: purpose)
        return Base64URL.encode(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// `nil` for whatever was not sealed for that browser.
    static func open(_ text: String, by browser: Secret) -> UserCode? {
        guard text.utf8.count <= UserCode.longestTyped, let bytes = Base64URL.decode(text),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let opened = try? AES.GCM.open(box, using: key(browser), authenticating: purpose)
        else { return nil }
        return UserCode(typed: String(decoding: opened, as: UTF8.self))
    }

    /// RFC 5869: what is random enough needs no salt (§3.1).
    private static func key(_ browser: Secret) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(browser.expose().utf8)),
            info: purpose,
            outputByteCount: 32
        )
    }
}
