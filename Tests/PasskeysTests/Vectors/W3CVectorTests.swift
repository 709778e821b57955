import Kernel
import Testing

@testable import Passkeys

/// The fifteen test vectors of WebAuthn L3 §16, through both ceremonies.
struct W3CVectorTests {
    private static let verified = W3CVector.all.filter { $0.id != "packed-ed448" }
    private static let now = Instant(seconds: 1_795_000_000)

    private func registration(
        _ vector: W3CVector,
        _ conveyance: AttestationConveyance? = nil,
        androidKeys: AndroidKeyFormat.Keys = .any
    ) async throws -> CredentialRecord {
        let root = try TrustAnchors(files: [TrustAnchors.File(name: "root.der", bytes: W3CVector.root())])
        let expected = vector.registration.expected
        let isAnonymous = ["none-", "packed-self-"].contains { vector.id.hasPrefix($0) }
        let verified = try await Registration.verify(
            try RegistrationResponse(json: vector.registration.json),
            RegistrationExpectation(
                challenge: try expected.challengeBytes(),
                relyingParty: try expected.relyingParty(),
                preferences: .strict(expected.requireUserVerification ? .required : .preferred),
                isConditional: false,
                allowsBackupEligible: true,
                attestation: AttestationPolicy(
                    conveyance ?? (isAnonymous ? .indirect : .direct),
                    anchors: AttestationTrust(anchors: root),
                    formats: AttestationFormats.formats(androidKeys: androidKeys)
                ),
                now: Self.now
            )
        )
        return try verified.record(isRegistered: false)
    }

    private func authentication(
        _ vector: W3CVector,
        _ record: CredentialRecord,
        _ change: (inout AuthenticationExpectation) throws -> Void = { _ in }
    ) throws -> VerifiedAuthentication {
        let expected = vector.authentication.expected
        var expectation = AuthenticationExpectation(
            challenge: try expected.challengeBytes(),
            relyingParty: try expected.relyingParty(),
            allowedCredentials: [record.id],
            userHandle: [1],
            requiresUserVerification: expected.requireUserVerification,
            counterPolicy: .refuse
        )
        try change(&expectation)
        let response = try AuthenticationResponse(json: vector.authentication.json)
        return try Authentication.verify(response, by: OwnedCredential(record, userHandle: [1]), expectation)
    }

    @Test func `there are fifteen`() {
        #expect(W3CVector.all.count == 15 && Self.verified.count == 14)
        #expect(Set(W3CVector.all.compactMap(\.registration.decoded.fmt)).count == 6)
    }

    @Test(arguments: verified)
    func `a registration holds, its attestation ends at the given root, and its parts are read rightly`(
        _ vector: W3CVector
    ) async throws {
        let record = try await registration(vector)
        let decoded = vector.registration.decoded
        #expect(record.attestation.format == decoded.fmt)
        #expect(record.id.bytes == [UInt8](hex: decoded.credentialId ?? ""))
        #expect(record.authenticator.aaguid.bytes == [UInt8](hex: decoded.aaguid ?? ""))
        #expect(record.publicKey.bytes == [UInt8](hex: decoded.cosePublicKey ?? ""))
        #expect(record.publicKey.algorithm.rawValue == decoded.coseAlg)
        let flags = AuthenticatorData.Flags(rawValue: decoded.flags)
        #expect(record.backup.isEligible == flags.contains(.backupEligible))
        #expect(record.backup.isBackedUp == flags.contains(.backedUp))
        #expect(record.isUserVerified == flags.contains(.userVerified))
        #expect(record.signCount == decoded.signCount)
        switch vector.id {
        case "none-es256", "none-es256-crossOrigin", "none-es256-topOrigin", "none-es256-long-credential-id":
            #expect(record.attestation.type == .none && !record.attestation.isTrusted)
        case "packed-self-es256":
            #expect(record.attestation.type == .selfAttestation && !record.attestation.isTrusted)
        case "apple-es256":
            #expect(record.attestation.type == .anonymizationCA && record.attestation.isTrusted)
        default:
            #expect(record.attestation.type == .basic && record.attestation.isTrusted)
        }
    }

    @Test(arguments: verified)
    func `an authentication holds with the key that was registered`(_ vector: W3CVector) async throws {
        let record = try await registration(vector)
        let cose = try #require(vector.authentication.expected.credentialPublicKeyCose)
        #expect(Base64URL.decode(cose) == record.publicKey.bytes)
        let verified = try authentication(vector, record)
        let flags = AuthenticatorData.Flags(rawValue: vector.authentication.decoded.flags)
        #expect(verified.isUserVerified == flags.contains(.userVerified))
        #expect(verified.isBackedUp == flags.contains(.backedUp))
        #expect(verified.counter == .unused && verified.signCount == 0)
    }

    @Test(arguments: verified)
    func `a vector doesn't hold for another challenge, relying party or verification`(
        _ vector: W3CVector
    ) async throws {
        let record = try await registration(vector)
        #expect(throws: CeremonyError(.wrongChallenge, .authentication(11))) {
            try authentication(vector, record) { $0.challenge[0] ^= 1 }
        }
        #expect(throws: CeremonyError(.originNotAllowed, .authentication(12))) {
            try authentication(vector, record) { $0.relyingParty = try .example() }
        }
        let isVerified = AuthenticatorData.Flags(rawValue: vector.authentication.decoded.flags).contains(.userVerified)
        if isVerified {
            #expect(try authentication(vector, record) { $0.requiresUserVerification = true }.isUserVerified)
        } else {
            #expect(throws: CeremonyError(.userNotVerified, .authentication(17))) {
                try authentication(vector, record) { $0.requiresUserVerification = true }
            }
        }
    }

    @Test func `frames are refused where they are not allowed`() async throws {
        for id in ["none-es256-crossOrigin", "none-es256-topOrigin"] {
            let vector = try #require(W3CVector.all.first { $0.id == id })
            let record = try await registration(vector)
            #expect(throws: CeremonyError(.crossOrigin, .authentication(13))) {
                try authentication(vector, record) {
                    $0.relyingParty = try RelyingParty(
                        id: "example.org",
                        name: "Example",
                        origins: [Origin("https://example.org")]
                    )
                }
            }
        }
    }

    @Test(arguments: verified.filter { ["none", "packed-self"].contains($0.id.split(separator: "-es").first ?? "") })
    func `a passkey that nobody vouches for is refused where trust is required`(_ vector: W3CVector) async throws {
        let fault: CeremonyStepError = vector.id.hasPrefix("none") ? .attestationRequired : .selfAttestationNotAllowed
        await #expect(throws: CeremonyError(fault, .registration(24))) { try await registration(vector, .direct) }
    }

    @Test func `an Android key of the system's software is refused unless the policy takes it`() async throws {
        let vector = try #require(W3CVector.all.first { $0.id == "android-key-es256" })
        await #expect(
            throws: CeremonyError(.attestation(.androidSecurityLevel, format: "android-key"), .registration(22))
        ) {
            try await registration(vector, androidKeys: .hardware)
        }
    }

    @Test func `Ed448 is refused by its number, at the registration and as a stored key`() async throws {
        let vector = try #require(W3CVector.all.first { $0.id == "packed-ed448" })
        await #expect(throws: CeremonyError(.publicKey(.unsupportedAlgorithm(-53)), .registration(20))) {
            try await registration(vector)
        }
        let cose = try #require(Base64URL.decode(vector.authentication.expected.credentialPublicKeyCose ?? ""))
        #expect(throws: COSEKeyError.unsupportedAlgorithm(-53)) { try COSEKey(cose) }
    }
}
