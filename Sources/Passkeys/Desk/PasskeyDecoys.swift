package import Crypto
import Kernel

/// The passkeys of names that nobody has, or that have none: the same for each name each time.
///
/// Who asks for options learns no more from them than from a real answer, until he can sign with one.
package struct PasskeyDecoys: Sendable {
    private let key: SymmetricKey

    package init(key: SymmetricKey) { self.key = key }

    /// What authenticators in the field call their credentials: platform ones of both large phone makers, managers of
    /// passwords, and keys that are carried.
    private static let lengths = [20, 20, 16, 32, 32, 32, 64, 48]
    private static let transports = [["hybrid", "internal"], ["internal", "hybrid"], ["internal"], ["nfc", "usb"]]

    func credentials(for name: String) -> [KnownCredential] {
        let head = bytes("shape", name)
        // One in four has two.
        let count = head[0] < 64 ? 2 : 1
        return (0..<count).map { index in
            let length = Self.lengths[Int(head[1 + 2 * index]) % Self.lengths.count]
            let id = (bytes("id \(index) 1", name) + bytes("id \(index) 2", name)).prefix(length)
            return KnownCredential(
                id: CredentialID(Array(id)),
                transports: length >= 48 ? Self.transports[3] : Self.transports[Int(head[2 + 2 * index]) % 3]
            )
        }
    }

    private func bytes(_ label: String, _ name: String) -> [UInt8] {
        var mac = HMAC<SHA256>(key: key)
        mac.update(data: Array(label.utf8) + [0])
        mac.update(data: Array(name.utf8))
        return Array(mac.finalize())
    }
}

/// A passkey as options name it.
package struct KnownCredential: Sendable, Equatable {
    package let id: CredentialID
    package let transports: [String]

    init(id: CredentialID, transports: [String]) {
        self.id = id
        self.transports = transports
    }

    init(_ passkey: Passkey) { self.init(id: passkey.credential, transports: passkey.transports) }
}
