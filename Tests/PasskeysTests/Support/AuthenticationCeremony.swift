import Crypto
import Foundation
import Kernel

@testable import Passkeys

/// An authentication that holds, until a test breaks it.
struct AuthenticationCeremony {
    static let handle: [UInt8] = Array(repeating: 5, count: 16)

    let key: CredentialKey
    var clientData: ClientDataParts
    var data: AuthenticatorDataParts
    var responseID: [UInt8]
    var userHandle: [UInt8]? = AuthenticationCeremony.handle
    /// The change of the signature on its way.
    var tamper: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    /// The authenticator data that is sent instead of the signed one.
    var sentData: [UInt8]?
    var sentClientData: [UInt8]?
    var extensionResults: [String: JSONValue] = [:]
    var credential: CredentialRecord
    var owner = AuthenticationCeremony.handle
    var isKnown = true
    var expected: AuthenticationExpectation

    init(_ algorithm: COSEAlgorithm = .es256) throws {
        key = try .make(algorithm)
        let challenge = Array(UInt8(101)...132)
        clientData = ClientDataParts(type: "webauthn.get", challenge: challenge)
        data = AuthenticatorDataParts(flags: [.userPresent, .userVerified], signCount: 8)
        responseID = data.credentialID
        credential = try .example(key, id: data.credentialID, signCount: 7)
        expected = AuthenticationExpectation(
            challenge: challenge,
            relyingParty: try .example(),
            allowedCredentials: [CredentialID([1, 2, 3]), CredentialID(data.credentialID)],
            userHandle: Self.handle,
            requiresUserVerification: true,
            counterPolicy: .refuse
        )
    }

    /// Nobody was named: the authenticator chose.
    mutating func discover() {
        expected.allowedCredentials = []
        expected.userHandle = nil
    }

    func response() throws -> AuthenticationResponse {
        let clientDataJSON = clientData.bytes
        let signature = try key.sign(data.bytes + SHA256.hash(data: clientDataJSON))
        return AuthenticationResponse(
            id: CredentialID(responseID),
            clientDataJSON: sentClientData ?? clientDataJSON,
            authenticatorData: sentData ?? data.bytes,
            signature: tamper(signature),
            userHandle: userHandle,
            extensionResults: extensionResults
        )
    }

    func verified() throws -> VerifiedAuthentication {
        let owned = isKnown ? OwnedCredential(credential, userHandle: owner) : nil
        return try Authentication.verify(try response(), by: owned, expected)
    }
}

extension CredentialRecord {
    static func example(
        _ key: CredentialKey,
        id: [UInt8],
        signCount: UInt32 = 0,
        isBackupEligible: Bool = false,
        isBackedUp: Bool = false
    ) throws -> CredentialRecord {
        CredentialRecord(
            id: CredentialID(id),
            publicKey: try COSEKey(key.cose),
            signCount: signCount,
            isUserVerified: true,
            backup: CredentialRecord.BackupState(isEligible: isBackupEligible, isBackedUp: isBackedUp),
            authenticator: CredentialRecord.Authenticator(aaguid: try AAGUID.example(), transports: ["internal"]),
            attestation: AttestationRecord(format: "none", type: .none, isTrusted: false),
            isDiscoverable: true
        )
    }
}

extension AAGUID {
    struct WrongLengthError: Error {}

    static func example(_ bytes: [UInt8] = Array(1...16)) throws -> AAGUID {
        guard let aaguid = AAGUID(bytes) else { throw WrongLengthError() }
        return aaguid
    }
}
