import Crypto
import Foundation
import Kernel
import Passkeys
import SoftwareAuthenticator

/// Registrations, from the JSON of the answer to the record to keep, all of WebAuthn L3 §7.1 but what is the store's.
enum Registrations {
    static func verifications() throws -> [Verification] { [try unattested(), try packed()] }

    /// Without a signature.
    private static func unattested() throws -> Verification {
        let authenticator = SoftwareAuthenticator(origin: Sample.origin)
        let inputs = try (0..<Sample.count).map { _ in try Sample.registration(authenticator) }
        let policy = AttestationPolicy(.none, anchors: AttestationTrust(anchors: TrustAnchors()))
        return try verification("registration-none", inputs, wrong: inputs[0].answering(inputs[1].challenge), policy)
    }

    /// With a model's certificate, whose root the operator trusts: the signatures of the statement and of the certificate.
    private static func packed() throws -> Verification {
        let maker = try Maker()
        var authenticator = SoftwareAuthenticator(origin: Sample.origin)
        authenticator.model = Maker.model
        authenticator.attestation = .packed(certificate: maker.certificate, key: maker.key)
        let inputs = try (0..<Sample.count).map { _ in try Sample.registration(authenticator) }
        // The same certificate, but nobody has its key.
        authenticator.attestation = .packed(certificate: maker.certificate, key: P256.Signing.PrivateKey())
        let anchors = try TrustAnchors(files: [.init(name: "root", bytes: maker.root)])
        let policy = AttestationPolicy(.direct, anchors: AttestationTrust(anchors: anchors))
        return try verification("registration-packed", inputs, wrong: try Sample.registration(authenticator), policy)
    }

    private static func verification(
        _ name: String,
        _ inputs: [Sample],
        wrong: Sample,
        _ policy: AttestationPolicy
    ) throws -> Verification {
        let relyingParty = try Sample.relyingParty()
        let now = Instant(seconds: Int64(Date.now.timeIntervalSince1970))
        return Verification(name, inputs, wrong: wrong) { sample in
            let response = try RegistrationResponse(json: try JSONReader.read(sample.body))
            let verified = try await Registration.verify(
                response,
                RegistrationExpectation(
                    challenge: sample.challenge,
                    relyingParty: relyingParty,
                    preferences: RegistrationPreferences(
                        algorithms: COSEAlgorithm.allCases,
                        residentKey: .required,
                        userVerification: .required,
                        attestation: policy.conveyance
                    ),
                    isConditional: false,
                    allowsBackupEligible: true,
                    attestation: policy,
                    now: now
                )
            )
            let record = try verified.record(isRegistered: false)
            return record.id == sample.credentialID
                && record.attestation.isTrusted == policy.conveyance.requiresTrust
        }
    }
}
