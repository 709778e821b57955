internal import Crypto
internal import FoundationEssentials
package import Kernel

/// Credentials for unknown names, so that options don't reveal who is registered (WebAuthn L3 §14.6.2).
///
/// Decoys are a keyed function of the relying party and the name, so they stay the same, as an account's credentials
/// do. Only the key shows which ids are decoys. Their forms are those of common authenticators, about as often. A form
/// that no decoy has is surely an account's: four passkeys, an id of an odd length, transports that a client made up.
package struct DecoyCredentials: Sendable {
    /// The length in bytes of the tag in a decoy's id, which a passkey's id matches once in 2⁶⁴ times.
    private static let tagLength = 8

    private let key: SymmetricKey

    /// - Parameter key: 32 bytes that must stay the same. A new key would change decoys, but not accounts' credentials.
    package init(key: Digest256) { self.key = SymmetricKey(data: key.bytes) }

    /// Returns the credentials that an account of that name would have: usually one, up to three.
    ///
    /// `name`: the form in which accounts are looked up, so that two spellings have the same decoys.
    package func descriptors(for name: String, relyingParty: RelyingParty) -> [CredentialDescriptor] {
        let count = Self.count(block(of: name, at: relyingParty, number: 0, part: 0)[0])
        return (1...count).map { number in
            let form = DecoyForm.form(block(of: name, at: relyingParty, number: UInt8(number), part: 0)[0])
            let (first, second, third) = (
                block(of: name, at: relyingParty, number: UInt8(number), part: 1),
                block(of: name, at: relyingParty, number: UInt8(number), part: 2),
                block(of: name, at: relyingParty, number: UInt8(number), part: 3)
            )
            let head = Array((first + second + third).prefix(form.length - Self.tagLength))
            return CredentialDescriptor(CredentialID(head + tag(head, relyingParty)), transports: form.transports)
        }
    }

    /// Whether the id is a decoy's, for any name.
    ///
    /// Code that treats unknown ids differently must treat a decoy like an existing passkey.
    package func contains(_ id: CredentialID, relyingParty: RelyingParty) -> Bool {
        guard id.bytes.count >= 2 * Self.tagLength else { return false }
        let tag = tag(Array(id.bytes.dropLast(Self.tagLength)), relyingParty)
        // All bytes are compared, so that the time doesn't tell where they differ.
        return zip(id.bytes.suffix(Self.tagLength), tag).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }

    /// Returns the user handle of a decoy: 32 unpredictable bytes that belong to no account.
    func userHandle(of id: CredentialID, relyingParty: RelyingParty) -> [UInt8] {
        code("vestibule passkey decoy handle", of: id.bytes, at: relyingParty)
    }

    private static func count(_ byte: UInt8) -> Int {
        switch byte {
        case 0..<185: 1
        case 185..<238: 2
        default: 3
        }
    }

    private func tag(_ head: [UInt8], _ relyingParty: RelyingParty) -> [UInt8] {
        Array(code("vestibule passkey decoy id", of: head, at: relyingParty).prefix(Self.tagLength))
    }

    private func block(of name: String, at relyingParty: RelyingParty, number: UInt8, part: UInt8) -> [UInt8] {
        // The part behind the name has a fixed length.
        code("vestibule passkey decoy", of: Array(name.utf8) + [number, part], at: relyingParty)
    }

    /// Returns HMAC-SHA-256 over the purpose, the relying party and the rest, unambiguously: neither of the first two
    /// has a zero byte.
    private func code(_ purpose: String, of rest: [UInt8], at relyingParty: RelyingParty) -> [UInt8] {
        let message = Array(purpose.utf8) + [0] + Array(relyingParty.id.utf8) + [0] + rest
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }
}

/// The visible form of a credential: the length of its id, and its transports as the client reports them.
struct DecoyForm: Equatable {
    let length: Int
    let transports: [String]

    /// The frequency of each form among 256 credentials: mostly password managers and phones, some security keys, and
    /// apps that report no transports.
    private static let frequencies: [(count: Int, form: DecoyForm)] = [
        // Phones and their makers' password managers, in the order of the specification and in the order of some browsers.
        (56, DecoyForm(length: 20, transports: ["hybrid", "internal"])),
        (34, DecoyForm(length: 20, transports: ["internal", "hybrid"])),
        (46, DecoyForm(length: 16, transports: ["hybrid", "internal"])),
        (14, DecoyForm(length: 32, transports: ["hybrid", "internal"])),
        // Password managers in browsers, and computers.
        (22, DecoyForm(length: 16, transports: ["internal"])),
        (26, DecoyForm(length: 32, transports: ["internal"])),
        (8, DecoyForm(length: 65, transports: ["internal"])),
        // Security keys.
        (8, DecoyForm(length: 64, transports: ["usb"])),
        (8, DecoyForm(length: 64, transports: ["nfc", "usb"])),
        (6, DecoyForm(length: 48, transports: ["nfc", "usb"])),
        (4, DecoyForm(length: 96, transports: ["usb"])),
        // Clients that report no transports.
        (10, DecoyForm(length: 20, transports: [])), (8, DecoyForm(length: 16, transports: [])),
        (4, DecoyForm(length: 32, transports: [])), (2, DecoyForm(length: 64, transports: [])),
    ]

    /// All forms, for tests.
    static var all: [DecoyForm] { frequencies.map(\.form) }

    static func form(_ byte: UInt8) -> DecoyForm {
        var rest = Int(byte)
        for (count, form) in frequencies {
            if rest < count { return form }
            rest -= count
        }
        return frequencies[0].form
    }
}
