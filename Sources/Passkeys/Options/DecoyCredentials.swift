internal import Crypto
internal import FoundationEssentials
package import Kernel

/// Credentials for names that nobody has, so that options don't tell who is registered (WebAuthn L3 §14.6.2).
///
/// They are a keyed function of the relying party and the name: the same each time, as an account's are. Their ids tell
/// nothing without the key. Their forms do, of some accounts: who has three passkeys, or one of another length or with other
/// transports than these, is no decoy.
package struct DecoyCredentials: Sendable {
    private let key: SymmetricKey

    /// `key`: 32 bytes that stay the same, or a name's decoys would change where an account's credentials don't.
    package init(key: Digest256) { self.key = SymmetricKey(data: key.bytes) }

    /// What an account of that name would have: one credential or two.
    ///
    /// `name` is the one that accounts are looked up by, so that two ways to write it have the same decoys.
    package func descriptors(for name: String, relyingParty: RelyingParty) -> [CredentialDescriptor] {
        let count = block(name, relyingParty, 0, 0)[0] < 64 ? 2 : 1
        return (1...count).map { number in
            let kind = Self.kind(block(name, relyingParty, UInt8(number), 0)[0])
            let first = block(name, relyingParty, UInt8(number), 1)
            let second = block(name, relyingParty, UInt8(number), 2)
            return CredentialDescriptor(
                CredentialID(Array((first + second).prefix(kind.length))),
                transports: kind.transports
            )
        }
    }

    /// The lengths and transports of the authenticators that people have: password managers and phones most of all.
    private static func kind(_ byte: UInt8) -> (length: Int, transports: [String]) {
        switch byte {
        case 0..<110: (20, ["hybrid", "internal"])
        case 110..<180: (16, ["hybrid", "internal"])
        case 180..<225: (32, ["internal"])
        // Some apps say nothing of transports: one that has none is not surely real.
        case 225..<240: (16, [])
        default: (64, ["usb"])
        }
    }

    /// HMAC-SHA-256 over the purpose, the relying party, the name and two numbers, each told from the next.
    private func block(_ name: String, _ relyingParty: RelyingParty, _ number: UInt8, _ part: UInt8) -> [UInt8] {
        var message = Array("vestibule passkey decoy".utf8) + [0]
        // An RP ID has no zero byte, and what is behind the name has a fixed length.
        message += Array(relyingParty.id.utf8) + [0] + Array(name.utf8) + [number, part]
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }
}
