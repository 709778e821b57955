package import Crypto
import Foundation
import Kernel

/// An authenticator with the browser before it, in the JSON of WebAuthn L3 §5.1: it makes passkeys of ES256 and signs with
/// them, and lies where a test has it lie.
///
/// It shares no code with the relying party that is tested: what both understand is the standard.
package struct SoftwareAuthenticator: Sendable {
    /// A passkey that it holds.
    package struct Credential: Sendable {
        package let id: [UInt8]
        package let key: P256.Signing.PrivateKey
        package let rpID: String
        package let userHandle: [UInt8]

        /// base64url, as it is named everywhere.
        package var idText: String { Base64URL.encode(id) }

        /// The public key as COSE has it: EC2, ES256, P-256 (RFC 9053 §7.1.1).
        package var coseKey: [UInt8] {
            let point = Array(key.publicKey.rawRepresentation)
            return [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point[..<32] + [0x22, 0x58, 0x20]
                + point[32...]
        }

        package init(id: [UInt8], key: P256.Signing.PrivateKey, rpID: String, userHandle: [UInt8]) {
            self.id = id
            self.key = key
            self.rpID = rpID
            self.userHandle = userHandle
        }
    }

    /// What stands in the authenticator data (WebAuthn L3 §6.1).
    package struct Flags: Sendable {
        package var isUserPresent = true
        package var isUserVerified = true
        package var isBackupEligible = true
        package var isBackedUp = true

        package init() {}

        fileprivate var byte: UInt8 {
            var byte: UInt8 = 0
            if isUserPresent { byte |= 0x01 }
            if isUserVerified { byte |= 0x04 }
            if isBackupEligible { byte |= 0x08 }
            if isBackedUp { byte |= 0x10 }
            return byte
        }
    }

    /// What it proves its model with (WebAuthn L3 §6.5.4).
    package enum Attestation: Sendable {
        case none
        /// The format `packed`, with the certificate of the model in DER and the key that it is of (§8.2).
        case packed(certificate: [UInt8], key: P256.Signing.PrivateKey)
    }

    package enum Fault: Error {
        /// The options are none, or name no credential that it holds.
        case options
    }

    /// Where the page is.
    package var origin: String
    package var flags = Flags()
    /// The counter of the next answer; zero for an authenticator that has none.
    package var counter: UInt32 = 0
    /// What it says of new passkeys: whether they are found without a name (`credProps`, §10.1.3); `nil` where it is silent.
    package var isDiscoverable: Bool? = true
    /// What is said of how it can be reached; `nil` where nothing is.
    package var transports: [String]? = ["internal", "hybrid"]
    package var attestation = Attestation.none
    /// Its AAGUID; zeros where it doesn't say.
    package var model = [UInt8](repeating: 0, count: 16)
    /// What it calls new passkeys, in fewer than 256 bytes; `nil` for a name of its own that nobody else has.
    package var credentialID: [UInt8]?

    package init(origin: String) { self.origin = origin }

    /// Makes a passkey for the options; returns it, and the answer as JSON.
    package func create(_ options: String) throws -> (Credential, String) {
        let members = try Self.object(options)
        guard let party = members["rp"] as? [String: Any], let user = members["user"] as? [String: Any],
            let rpID = party["id"] as? String,
            let handle = (user["id"] as? String).flatMap({ Base64URL.decode($0) })
        else { throw Fault.options }
        let key = P256.Signing.PrivateKey()
        let id = credentialID ?? Array(SHA256.hash(data: key.publicKey.rawRepresentation))
        let credential = Credential(id: id, key: key, rpID: rpID, userHandle: handle)
        let clientData = try clientData("webauthn.create", members)
        var response: [String: Any] = [
            "clientDataJSON": clientData,
            "attestationObject": Base64URL.encode(try attestationObject(credential, Self.hash(clientData))),
        ]
        if let transports { response["transports"] = transports }
        let properties: [String: Any] = isDiscoverable.map { ["rk": $0] } ?? [:]
        return (credential, try answer(credential, response, ["credProps": properties]))
    }

    /// Signs for the options; returns the answer as JSON.
    ///
    /// `withHandle`: whether it says whose the passkey is, as it does for one that it found without a name; `sign`: signs in
    /// place of the passkey's key, where that is to be one of another algorithm.
    package func get(
        _ options: String,
        with credential: Credential,
        withHandle: Bool = true,
        signedBy sign: (([UInt8]) throws -> [UInt8])? = nil
    ) throws -> String {
        let members = try Self.object(options)
        let clientData = try clientData("webauthn.get", members)
        let data = authenticatorData(credential.rpID, flags.byte)
        let signed = data + Self.hash(clientData)
        let signature = try sign?(signed) ?? Self.sign(signed, credential.key)
        var response: [String: Any] = [
            "clientDataJSON": clientData, "authenticatorData": Base64URL.encode(data),
            "signature": Base64URL.encode(signature),
        ]
        if withHandle { response["userHandle"] = Base64URL.encode(credential.userHandle) }
        return try answer(credential, response, [:])
    }

    private func answer(
        _ credential: Credential,
        _ response: [String: Any],
        _ extensions: [String: Any]
    ) throws -> String {
        let members: [String: Any] = [
            "id": credential.idText, "rawId": credential.idText, "type": "public-key", "response": response,
            "clientExtensionResults": extensions,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
    }

    /// base64url, of what a browser writes (WebAuthn L3 §5.8.1.1).
    private func clientData(_ type: String, _ options: [String: Any]) throws -> String {
        guard let challenge = options["challenge"] as? String else { throw Fault.options }
        let text =
            #"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)","crossOrigin":false}"#
        return Base64URL.encode(Array(text.utf8))
    }

    private func authenticatorData(_ rpID: String, _ flags: UInt8) -> [UInt8] {
        let count: [UInt8] = (0..<4).map { UInt8(truncatingIfNeeded: counter >> UInt32(24 - 8 * $0)) }
        return Array(SHA256.hash(data: Array(rpID.utf8))) + [flags] + count
    }

    /// CBOR of `{"fmt": …, "attStmt": …, "authData": …}`.
    private func attestationObject(_ credential: Credential, _ clientDataHash: [UInt8]) throws -> [UInt8] {
        let length: [UInt8] = [0, UInt8(credential.id.count)]
        let head = authenticatorData(credential.rpID, flags.byte | 0x40) + model
        let data = head + length + credential.id + credential.coseKey
        let (format, statement) = try statement(over: data + clientDataHash)
        return [0xA3] + CBOR.text("fmt") + CBOR.text(format) + CBOR.text("attStmt") + statement
            + CBOR.text("authData") + CBOR.bytes(data)
    }

    /// The format's name, and the statement in CBOR.
    private func statement(over signed: [UInt8]) throws -> (String, [UInt8]) {
        switch attestation {
        case .none:
            return ("none", [0xA0])
        case .packed(let certificate, let key):
            let algorithm: [UInt8] = CBOR.text("alg") + [0x26]
            let signature = CBOR.text("sig") + CBOR.bytes(try Self.sign(signed, key))
            return ("packed", [0xA3] + algorithm + signature + CBOR.text("x5c") + [0x81] + CBOR.bytes(certificate))
        }
    }

    /// In DER, as ECDSA signatures of WebAuthn are.
    private static func sign(_ signed: [UInt8], _ key: P256.Signing.PrivateKey) throws -> [UInt8] {
        Array(try key.signature(for: signed).derRepresentation)
    }

    /// SHA-256 of client data that stands there as base64url.
    private static func hash(_ clientData: String) -> [UInt8] {
        Array(SHA256.hash(data: Base64URL.decode(clientData) ?? []))
    }

    private static func object(_ text: String) throws -> [String: Any] {
        guard let members = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            throw Fault.options
        }
        return members
    }
}

/// Strings of CBOR (RFC 8949 §3) with fewer than 65,536 bytes.
private enum CBOR {
    static func text(_ text: String) -> [UInt8] { head(0x60, text.utf8.count) + Array(text.utf8) }

    static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(0x40, bytes.count) + bytes }

    /// The kind and the length, in the shortest form.
    private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
        switch count {
        case ..<24: [kind | UInt8(count)]
        case ..<0x100: [kind | 24, UInt8(count)]
        default: [kind | 25, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        }
    }
}
