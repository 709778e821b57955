import Kernel
import Passkeys

/// Sign-ins, from the JSON of the answer to the verdict, all of WebAuthn L3 §7.2 but what is the store's.
enum Assertions {
    static func verifications() throws -> [Verification] {
        [
            try verification("assertion-es256") { Signer.es256() },
            try verification("assertion-ed25519") { Signer.ed25519() },
            try verification("assertion-rs256") { try Signer.rs256() },
        ]
    }

    private static func verification(_ name: String, _ make: () throws -> Signer) throws -> Verification {
        let relyingParty = try Sample.relyingParty()
        return Verification(
            name,
            try (0..<Sample.count).map { _ in try Sample.signIn(try make()) },
            wrong: try Sample.signIn(try make(), wrong: true)
        ) { try holds($0, relyingParty) }
    }

    /// With the public key read from the bytes that a passkey's row has, as at every sign-in.
    private static func holds(_ sample: Sample, _ relyingParty: RelyingParty) throws -> Bool {
        let response = try AuthenticationResponse(json: try JSONReader.read(sample.body))
        let verified = try Authentication.verify(
            response,
            by: OwnedCredential(try record(sample), userHandle: sample.userHandle),
            AuthenticationExpectation(
                challenge: sample.challenge,
                relyingParty: relyingParty,
                allowedCredentials: [],
                userHandle: nil,
                requiresUserVerification: true,
                counterPolicy: .refuse
            )
        )
        return verified.credentialID == sample.credentialID && verified.isUserVerified
    }

    private static func record(_ sample: Sample) throws -> CredentialRecord {
        guard let model = AAGUID([UInt8](repeating: 0, count: 16)) else { throw BenchError(text: "no AAGUID") }
        return CredentialRecord(
            id: sample.credentialID,
            publicKey: try COSEKey(stored: sample.coseKey),
            signCount: 0,
            isUserVerified: true,
            backup: CredentialRecord.BackupState(isEligible: true, isBackedUp: true),
            authenticator: CredentialRecord.Authenticator(aaguid: model, transports: ["internal", "hybrid"]),
            attestation: AttestationRecord(format: "none", type: .none, isTrusted: false),
            isDiscoverable: true
        )
    }
}
