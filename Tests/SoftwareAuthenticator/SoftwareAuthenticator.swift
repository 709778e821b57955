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

    package init(origin: String) { self.origin = origin }

    /// Makes a passkey for the options; returns it, and the answer as JSON.
    package func create(_ options: String) throws -> (Credential, String) {
        let members = try Self.object(options)
        guard let party = members["rp"] as? [String: Any], let user = members["user"] as? [String: Any],
            let rpID = party["id"] as? String,
            let handle = (user["id"] as? String).flatMap({ Base64URL.decode($0) })
        else { throw Fault.options }
        let key = P256.Signing.PrivateKey()
        // Its own name for it: what nobody else has.
        let id = Array(SHA256.hash(data: key.publicKey.rawRepresentation))
        let credential = Credential(id: id, key: key, rpID: rpID, userHandle: handle)
        var response: [String: Any] = [
            "clientDataJSON": try clientData("webauthn.create", members),
            "attestationObject": Base64URL.encode(attestationObject(credential)),
        ]
        if let transports { response["transports"] = transports }
        let properties: [String: Any] = isDiscoverable.map { ["rk": $0] } ?? [:]
        return (credential, try answer(credential, response, ["credProps": properties]))
    }

    /// Signs for the options; returns the answer as JSON.
    ///
    /// `withHandle`: whether it says whose the passkey is, as it does for one that it found without a name.
    package func get(_ options: String, with credential: Credential, withHandle: Bool = true) throws -> String {
        let members = try Self.object(options)
        let clientData = try clientData("webauthn.get", members)
        let data = authenticatorData(credential.rpID, flags.byte)
        let hash = SHA256.hash(data: Base64URL.decode(clientData) ?? [])
        let signature = try credential.key.signature(for: data + Array(hash))
        var response: [String: Any] = [
            "clientDataJSON": clientData, "authenticatorData": Base64URL.encode(data),
            "signature": Base64URL.encode(Array(signature.derRepresentation)),
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

    /// CBOR of `{"fmt": "none", "attStmt": {}, "authData": …}`.
    private func attestationObject(_ credential: Credential) -> [UInt8] {
        let point = Array(credential.key.publicKey.rawRepresentation)
        let publicKey: [UInt8] =
            [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point[..<32] + [0x22, 0x58, 0x20]
            + point[32...]
        let model = [UInt8](repeating: 0, count: 16)
        let length: [UInt8] = [0, UInt8(credential.id.count)]
        let data = authenticatorData(credential.rpID, flags.byte | 0x40) + model + length + credential.id + publicKey
        let format: [UInt8] = [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8)
        let statement: [UInt8] = [0x67] + Array("attStmt".utf8) + [0xA0]
        let rest: [UInt8] = [0x68] + Array("authData".utf8) + [0x58, UInt8(data.count)]
        return format + statement + rest + data
    }

    private static func object(_ text: String) throws -> [String: Any] {
        guard let members = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            throw Fault.options
        }
        return members
    }
}
