package import Crypto
import Foundation
import Kernel

/// An authenticator and its browser in one, which use the JSON of WebAuthn L3 §5.1.
///
/// It makes passkeys, signs with them, and sends false data if a test asks for it.
///
/// It shares no code with the module Passkeys, the relying party under test: both only follow the standard.
package struct SoftwareAuthenticator: Sendable {
    /// A passkey of the authenticator.
    package struct Credential: Sendable {
        package let id: [UInt8]
        package let key: PasskeyKeyPair
        package let rpID: String
        package let userHandle: [UInt8]

        /// The id in base64url, as in JSON.
        package var idText: String { Base64URL.encode(id) }

        /// The public key as a COSE_Key.
        package var coseKey: [UInt8] { key.coseKey }

        package init(id: [UInt8], key: PasskeyKeyPair, rpID: String, userHandle: [UInt8]) {
            self.id = id
            self.key = key
            self.rpID = rpID
            self.userHandle = userHandle
        }

        /// Creates a passkey for ES256.
        package init(id: [UInt8], key: P256.Signing.PrivateKey, rpID: String, userHandle: [UInt8]) {
            self.init(id: id, key: PasskeyKeyPair(key), rpID: rpID, userHandle: userHandle)
        }
    }

    /// The flags in the authenticator data (WebAuthn L3 §6.1).
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

    /// The attestation of new passkeys (WebAuthn L3 §6.5.4).
    package enum Attestation: Sendable {
        case none
        /// The format `packed`, with the certificate of the model in DER and that certificate's private key (§8.2).
        case packed(certificate: [UInt8], key: P256.Signing.PrivateKey)
    }

    package enum AuthenticatorError: Error {
        /// The options are not a JSON object, or lack a required member.
        case options
    }

    /// The origin of the page.
    package var origin: String
    package var flags = Flags()
    /// The signature counter of the next response; zero for an authenticator without a counter.
    package var counter: UInt32 = 0
    /// Whether new passkeys are reported as discoverable (`credProps`, §10.1.3); `nil` reports nothing.
    package var isDiscoverable: Bool? = true
    /// The transports that are reported; `nil` reports none.
    package var transports: [String]? = ["internal", "hybrid"]
    package var attestation = Attestation.none
    /// The supported algorithms: a new passkey has the first supported one in the options, or else the first of these.
    package var algorithms = [PasskeyKeyPair.Algorithm.es256]
    /// Whether the attestation object and its statement have their keys in reverse order, as CTAP2 forbids.
    package var writesKeysBackwards = false
    /// The AAGUID; zeros if the authenticator does not name its model.
    package var model = [UInt8](repeating: 0, count: 16)
    /// The credential id of new passkeys, in fewer than 256 bytes; `nil` for a unique one.
    package var credentialID: [UInt8]?

    package init(origin: String) { self.origin = origin }

    /// Makes a passkey for the options, and returns it with the response as JSON.
    package func create(_ options: String) throws -> (Credential, String) {
        let members = try Self.object(options)
        guard let party = members["rp"] as? [String: Any], let user = members["user"] as? [String: Any],
            let rpID = party["id"] as? String,
            let handle = (user["id"] as? String).flatMap({ Base64URL.decode($0) })
        else { throw AuthenticatorError.options }
        let key = try PasskeyKeyPair.make(algorithm(for: members))
        let id = credentialID ?? Array(SHA256.hash(data: key.coseKey))
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

    /// Signs for the options, and returns the response as JSON.
    ///
    /// `withHandle`: whether the response has the user handle, as for a discoverable passkey. `sign`: makes the
    /// signature instead of the passkey's key, for a key of another algorithm.
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
        let signature = try sign?(signed) ?? credential.key.sign(signed)
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

    /// Returns client data as a browser writes them (WebAuthn L3 §5.8.1.1), in base64url.
    private func clientData(_ type: String, _ options: [String: Any]) throws -> String {
        guard let challenge = options["challenge"] as? String else { throw AuthenticatorError.options }
        let text =
            #"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)","crossOrigin":false}"#
        return Base64URL.encode(Array(text.utf8))
    }

    private func authenticatorData(_ rpID: String, _ flags: UInt8) -> [UInt8] {
        let count: [UInt8] = (0..<4).map { UInt8(truncatingIfNeeded: counter >> UInt32(24 - 8 * $0)) }
        return Array(SHA256.hash(data: Array(rpID.utf8))) + [flags] + count
    }

    /// Returns CBOR of `{"fmt": …, "attStmt": …, "authData": …}`.
    private func attestationObject(_ credential: Credential, _ clientDataHash: [UInt8]) throws -> [UInt8] {
        let length: [UInt8] = [0, UInt8(credential.id.count)]
        let head = authenticatorData(credential.rpID, flags.byte | 0x40) + model
        let data = head + length + credential.id + credential.coseKey
        let (format, statement) = try statement(over: data + clientDataHash)
        return map([("fmt", CBOR.text(format)), ("attStmt", statement), ("authData", CBOR.bytes(data))])
    }

    private func map(_ members: [(name: String, value: [UInt8])]) -> [UInt8] {
        let entries = members.map { (key: CBOR.text($0.name), value: $0.value) }
        return CBOR.map(writesKeysBackwards ? entries.reversed() : entries)
    }

    /// Returns the first supported algorithm of `pubKeyCredParams`, or else the first supported one.
    private func algorithm(for options: [String: Any]) -> PasskeyKeyPair.Algorithm {
        let asked = (options["pubKeyCredParams"] as? [[String: Any]] ?? []).compactMap { $0["alg"] as? Int }
        let known = asked.compactMap { PasskeyKeyPair.Algorithm(rawValue: $0) }
        return known.first { algorithms.contains($0) } ?? algorithms.first ?? .es256
    }

    /// Returns the name of the format, and the statement in CBOR.
    private func statement(over signed: [UInt8]) throws -> (String, [UInt8]) {
        switch attestation {
        case .none:
            return ("none", [0xA0])
        case .packed(let certificate, let key):
            let signature = CBOR.bytes(try PasskeyKeyPair(key).sign(signed))
            let members = [("alg", CBOR.number(-7)), ("sig", signature), ("x5c", [0x81] + CBOR.bytes(certificate))]
            return ("packed", map(members))
        }
    }

    /// Returns SHA-256 of client data that are given in base64url.
    private static func hash(_ clientData: String) -> [UInt8] {
        Array(SHA256.hash(data: Base64URL.decode(clientData) ?? []))
    }

    private static func object(_ text: String) throws -> [String: Any] {
        guard let members = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            throw AuthenticatorError.options
        }
        return members
    }
}
