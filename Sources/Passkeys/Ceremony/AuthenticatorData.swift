/// The data that an authenticator signs (WebAuthn L3 §6.1).
package struct AuthenticatorData: Sendable, Equatable {
    /// The flags (§6.1, table 1); reserved bits are ignored.
    package struct Flags: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let userPresent = Flags(rawValue: 1 << 0)
        package static let userVerified = Flags(rawValue: 1 << 2)
        package static let backupEligible = Flags(rawValue: 1 << 3)
        package static let backedUp = Flags(rawValue: 1 << 4)
        package static let attestedCredential = Flags(rawValue: 1 << 6)
        package static let extensions = Flags(rawValue: 1 << 7)
    }

    /// The bytes as sent and signed.
    package let bytes: [UInt8]
    package let rpIDHash: [UInt8]
    package let flags: Flags
    package let signCount: UInt32
    /// The new credential, which only a registration has.
    package let credential: AttestedCredential?
    /// The authenticator's extension outputs; empty if it sends none.
    package let extensions: CBORMap

    package init(_ bytes: [UInt8]) throws(AuthenticatorDataError) {
        guard bytes.count >= Self.fixedLength else { throw .truncated }
        self.bytes = bytes
        rpIDHash = Array(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var position = Self.fixedLength
        if flags.contains(.attestedCredential) {
            (credential, position) = try AttestedCredential.read(bytes, from: position)
        } else {
            credential = nil
        }
        if flags.contains(.extensions) {
            (extensions, position) = try Self.extensions(bytes, from: position)
        } else {
            extensions = CBORMap()
        }
        guard position == bytes.count else { throw .trailingBytes }
    }

    /// The bytes of the RP ID's hash, the flags and the counter.
    private static let fixedLength = 37

    private static func extensions(_ bytes: [UInt8], from start: Int) throws(AuthenticatorDataError) -> (CBORMap, Int) {
        do throws(CBORError) {
            let (value, end) = try CBORReader.readFirst(bytes, from: start)
            if let map = value.mapping { return (map, end) }
        } catch { throw .extensions(error) }
        throw .extensionsType
    }
}

/// The reason why bytes are not authenticator data.
package enum AuthenticatorDataError: Error, Sendable, Equatable {
    case truncated
    /// More bytes follow the parts that the flags announce.
    case trailingBytes
    /// The credential id has no bytes.
    case credentialID
    case publicKey(CBORError)
    /// The public key is not a map.
    case publicKeyType
    case extensions(CBORError)
    /// The extensions are not a map.
    case extensionsType

    /// A stable code for programs.
    package var code: String {
        switch self {
        case .truncated: "authenticator_data_truncated"
        case .trailingBytes: "authenticator_data_trailing_bytes"
        case .credentialID: "authenticator_data_credential_id"
        case .publicKey(let fault), .extensions(let fault): fault.rawValue
        case .publicKeyType: "authenticator_data_public_key"
        case .extensionsType: "authenticator_data_extensions"
        }
    }
}
