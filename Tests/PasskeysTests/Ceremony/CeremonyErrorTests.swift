import Testing

@testable import Passkeys

/// The code and the message of a refusal.
struct CeremonyErrorTests {
    private static let faults: [CeremonyStepError] = [
        .response(member: "id"), .clientDataNotUTF8, .clientDataMalformed, .wrongType, .wrongChallenge,
        .originNotAllowed, .crossOrigin, .topOrigin, .topOriginNotAllowed, .attestationObject(.malformed),
        .authenticatorData(.truncated), .authenticatorData(.trailingBytes), .authenticatorData(.credentialID),
        .authenticatorData(.publicKeyType), .authenticatorData(.extensionsType), .noAttestedCredential, .wrongRPID,
        .userNotPresent, .userNotVerified, .backedUpNotEligible, .backupEligibleNotAllowed, .algorithmNotOffered,
        .publicKey(.malformed), .publicKey(.unsupportedAlgorithm(-53)), .publicKey(.mismatch), .publicKey(.notOnCurve),
        .publicKey(.modulusSize), .publicKey(.rsaNumbers), .formatUnsupported, .attestationRequired,
        .selfAttestationNotAllowed, .credentialIDTooLong, .credentialAlreadyRegistered,
        .credentialIDMismatch, .extensionOutput, .notDiscoverable, .credentialNotAllowed, .credentialUnknown,
        .userHandleMissing, .userHandleMismatch, .backupEligibilityChanged, .signatureInvalid, .counterNotIncreased,
    ]

    private static let every =
        faults + CBORError.allCases.map { .attestationObject(.notCBOR($0)) }
        + AttestationError.allCases.map { .attestation($0, format: "packed") }
        + distrust.map { .attestationUntrusted($0) }

    private static let distrust: [TrustError] = [
        .untrusted, .order, .notYetValid, .expired, .criticalExtension, .weakSignature, .keyUsage, .constraints,
        .attestationType, .status(.revoked), .metadataOverdue,
    ]

    @Test func `each fault has a code of its own, in snake case`() {
        let codes = Self.every.map(\.code)
        #expect(Set(codes).count == codes.count)
        for code in codes {
            let isPlain = code.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
            #expect(isPlain && !code.isEmpty, "\(code)")
        }
    }

    @Test func `CBOR that can't be read has one code, wherever it stood`() {
        let fault = CBORError.duplicateKey
        let places: [CeremonyStepError] = [
            .attestationObject(.notCBOR(fault)), .authenticatorData(.publicKey(fault)),
            .authenticatorData(.extensions(fault)), .attestationObject(.authenticatorData(.publicKey(fault))),
            .publicKey(.notCBOR(fault)),
        ]
        #expect(places.allSatisfy { $0.code == "cbor_duplicate_key" })
    }

    @Test func `each fault is explained in a sentence`() {
        for fault in Self.every {
            #expect(fault.explanation.count > 20 && fault.explanation.hasSuffix("."), "\(fault.code)")
        }
    }

    @Test func `the step and the clause are told`() {
        let registration = CeremonyError(.wrongType, .registration(7))
        #expect(registration.clause == "WebAuthn L3 §7.1 step 7" && registration.step.number == 7)
        let authentication = CeremonyError(.signatureInvalid, .authentication(21))
        #expect(authentication.clause == "WebAuthn L3 §7.2 step 21" && authentication.code == "signature_invalid")
        let attestation = CeremonyError(.attestation(.malformed, format: "packed"), .registration(22))
        #expect(attestation.clause == "WebAuthn L3 §7.1 step 22, §8.2")
    }

    @Test(arguments: [
        ("packed", "§8.2"), ("tpm", "§8.3"), ("android-key", "§8.4"), ("fido-u2f", "§8.6"), ("none", "§8.7"),
        ("apple", "§8.8"),
    ])
    func `a rule of every format is cited from the verified one`(_ format: String, _ clause: String) {
        for fault in [AttestationError.malformed, .signatureInvalid, .algorithmMismatch, .publicKeyMismatch] {
            #expect(fault.clause(of: format) == clause)
        }
        #expect(AttestationFormats.all.contains { $0.identifier == format })
    }

    @Test func `a rule that two formats have for their certificates is cited from each`() {
        #expect(AttestationError.certificateVersion.clause(of: "packed") == "§8.2.1")
        #expect(AttestationError.certificateVersion.clause(of: "tpm") == "§8.3.1")
    }
}
