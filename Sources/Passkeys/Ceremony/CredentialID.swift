internal import Kernel

/// The id that an authenticator gave a credential (WebAuthn L3 §4); not a secret.
package struct CredentialID: Sendable, Hashable {
    /// The longest id that a relying party accepts (WebAuthn L3 §7.1 step 25).
    package static let maximumLength = 1023

    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads base64url; `nil` for any other text, and for an empty or too long id.
    package init?(text: String) {
        guard let bytes = Base64URL.decode(text), (1...Self.maximumLength).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// The id as base64url.
    package var text: String { Base64URL.encode(bytes) }
}

/// The id of an authenticator's model (WebAuthn L3 §6.5.1); all zeros if the authenticator does not name its model.
package struct AAGUID: Sendable, Hashable {
    package let bytes: [UInt8]

    /// Fails unless there are sixteen bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    package var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

    /// The text form of a UUID: 36 characters, lower case.
    package var text: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
