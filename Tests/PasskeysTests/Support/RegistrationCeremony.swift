import Crypto
import Foundation
import Kernel

@testable import Passkeys

/// A registration that holds, until a test breaks it.
struct RegistrationCeremony {
    let key: CredentialKey
    var clientData: ClientDataParts
    var data: AuthenticatorDataParts
    var format = "none"
    /// The statement, from what is signed.
    var statement: @Sendable ([UInt8]) throws -> CBORMap = { _ in CBORMap() }
    /// The attestation object in place of the one that the parts make.
    var rawObject: [UInt8]?
    var responseID: [UInt8]?
    var transports = ["internal", "hybrid"]
    var extensionResults: [String: JSONValue] = ["credProps": .object(["rk": .bool(true)])]
    var expected: RegistrationExpectation
    var isRegistered = false

    init(_ algorithm: COSEAlgorithm = .es256) throws {
        key = try .make(algorithm)
        let challenge = Array(UInt8(1)...32)
        clientData = ClientDataParts(type: "webauthn.create", challenge: challenge)
        data = AuthenticatorDataParts(flags: [.userPresent, .userVerified, .attestedCredential], publicKey: key.cose)
        expected = RegistrationExpectation(
            challenge: challenge,
            relyingParty: try .example(),
            preferences: .strict(.required),
            isConditional: false,
            allowsBackupEligible: true,
            attestation: AttestationPolicy(.none, anchors: ScriptedAnchors(false)),
            now: .init(seconds: 1_795_000_000)
        )
    }

    /// With a statement that the credential's own key signs (WebAuthn L3 §8.2).
    mutating func attestItself() {
        format = "packed"
        let key = key
        statement = { signed in
            CBORMap([(.text("alg"), CBORValue(key.algorithm.rawValue)), (.text("sig"), .bytes(try key.sign(signed)))])
        }
    }

    func response() throws -> RegistrationResponse {
        let clientDataJSON = clientData.bytes
        return RegistrationResponse(
            id: CredentialID(responseID ?? data.credentialID),
            clientDataJSON: clientDataJSON,
            attestationObject: try rawObject ?? attestationObject(clientDataJSON),
            transports: transports,
            extensionResults: extensionResults
        )
    }

    private func attestationObject(_ clientDataJSON: [UInt8]) throws -> [UInt8] {
        let data = data.bytes
        let statement = try statement(data + SHA256.hash(data: clientDataJSON))
        return CBORWriter.bytes(
            .map(
                CBORMap([
                    (.text("fmt"), .text(format)), (.text("attStmt"), .map(statement)),
                    (.text("authData"), .bytes(data)),
                ])
            )
        )
    }

    func record() async throws -> CredentialRecord {
        let registration = try await Registration.verify(try response(), expected)
        return try registration.record(isRegistered: isRegistered)
    }
}

extension RegistrationPreferences {
    /// Of every algorithm, with what is asked of the user.
    static func strict(
        _ userVerification: UserVerificationRequirement,
        attestation: AttestationConveyance = .none
    ) -> RegistrationPreferences {
        RegistrationPreferences(
            algorithms: COSEAlgorithm.allCases,
            residentKey: .preferred,
            userVerification: userVerification,
            attestation: attestation
        )
    }
}

extension FramePolicy {
    /// Within pages of a shop that the browser names.
    static var shop: FramePolicy {
        get throws { .allowed(topOrigins: [try Origin("https://shop.example")], unnamed: false) }
    }
}

extension RelyingParty {
    static func example(related: [String] = [], frames: FramePolicy = .refused) throws -> RelyingParty {
        try RelyingParty(
            id: "example.com",
            name: "Example",
            origins: [
                Origin("https://example.com"), Origin("https://login.example.com:8443"),
                Origin("android:apk-key-hash:nyISFFWSraq1Fs3OtjGQOK01NBGxVAyNaRcRUaHZQmw"),
            ],
            relatedOrigins: related.map { text throws(OriginError) in try Origin(text) },
            frames: frames
        )
    }
}
