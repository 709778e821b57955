import Kernel
import Testing

@testable import Passkeys

/// The steps of WebAuthn L3 §7.1 from the attestation object on, each broken alone.
struct RegistrationObjectStepTests {
    private func refusal(_ change: (inout RegistrationCeremony) throws -> Void) async throws -> CeremonyError? {
        var ceremony = try RegistrationCeremony()
        try change(&ceremony)
        do {
            _ = try await ceremony.record()
            return nil
        } catch let error as CeremonyError { return error }
    }

    private func error(_ fault: CeremonyStepError, _ step: Int) -> CeremonyError {
        CeremonyError(fault, .registration(step))
    }

    @Test func `step 13: an attestation object that can't be read is refused`() async throws {
        let noCBOR = try await refusal { $0.rawObject = [0xA3] }
        #expect(noCBOR == error(.attestationObject(.notCBOR(.truncated)), 13))
        let noMap = try await refusal { $0.rawObject = [0x80] }
        #expect(noMap == error(.attestationObject(.malformed), 13))
        let trailing = try await refusal { $0.data.rest = [0] }
        #expect(trailing == error(.attestationObject(.authenticatorData(.trailingBytes)), 13))
        let noCredential = try await refusal { $0.data.flags.remove(.attestedCredential) }
        #expect(noCredential == error(.noAttestedCredential, 13))
    }

    @Test(arguments: ["example.org", "login.example.com", "https://example.com", ""])
    func `step 14: a credential of another relying party is refused`(_ id: String) async throws {
        let refusal = try await refusal { $0.data.rpID = id }
        #expect(refusal == error(.wrongRPID, 14))
    }

    @Test func `step 15: without a user's presence only a conditional creation holds`() async throws {
        let absent = try await refusal { $0.data.flags.remove(.userPresent) }
        #expect(absent == error(.userNotPresent, 15))
        let conditional = try await refusal {
            $0.data.flags.remove(.userPresent)
            $0.expected.isConditional = true
        }
        #expect(conditional == nil)
    }

    @Test func `step 16: without verification it holds only where none is required`() async throws {
        let unverified = try await refusal { $0.data.flags.remove(.userVerified) }
        #expect(unverified == error(.userNotVerified, 16))
        let notRequired = try await refusal {
            $0.data.flags.remove(.userVerified)
            $0.expected.preferences.userVerification = .preferred
        }
        #expect(notRequired == nil)
    }

    @Test func `step 17: a passkey that can't be backed up isn't`() async throws {
        let refusal = try await refusal { $0.data.flags.insert(.backedUp) }
        #expect(refusal == error(.backedUpNotEligible, 17))
    }

    @Test func `step 18: credentials that can be copied are refused where policy wants none`() async throws {
        let refused = try await refusal {
            $0.data.flags.insert(.backupEligible)
            $0.expected.allowsBackupEligible = false
        }
        #expect(refused == error(.backupEligibleNotAllowed, 18))
        let allowed = try await refusal { $0.data.flags.insert(.backupEligible) }
        #expect(allowed == nil)
    }

    @Test func `step 19: the backup state is kept`() async throws {
        var ceremony = try RegistrationCeremony()
        ceremony.data.flags.formUnion([.backupEligible, .backedUp])
        let copied = try await ceremony.record()
        #expect(copied.backup == CredentialRecord.BackupState(isEligible: true, isBackedUp: true))
        ceremony.data.flags.remove(.backedUp)
        let single = try await ceremony.record()
        #expect(single.backup == CredentialRecord.BackupState(isEligible: true, isBackedUp: false))
    }

    @Test func `step 20: an algorithm that was not offered is refused, and a key that is none of it`() async throws {
        let notOffered = try await refusal { $0.expected.preferences.algorithms = [.edDSA, .rs256] }
        #expect(notOffered == error(.algorithmNotOffered, 20))
        let unsupported = try await refusal {
            $0.data.publicKey = CBORWriter.bytes(.map($0.key.parameters.with(3, CBORValue(-53))))
        }
        #expect(unsupported == error(.publicKey(.unsupportedAlgorithm(-53)), 20))
        let offCurve = try await refusal {
            $0.data.publicKey = CBORWriter.bytes(
                .map($0.key.parameters.with(-3, .bytes(Array(repeating: 1, count: 32))))
            )
        }
        #expect(offCurve == error(.publicKey(.notOnCurve), 20))
    }

    /// The library takes any 32 bytes, and what is stored is not looked at once more.
    @Test(arguments: [1, 2] as [UInt8])
    func `attack: step 20: an Ed25519 key of small order, or off the curve, is refused`(_ y: UInt8) async throws {
        let refusal = try await refusal {
            let point = CBORValue.bytes([y] + Array(repeating: 0, count: 31))
            let key = try CredentialKey.make(.edDSA).parameters.with(-2, point)
            $0.expected.preferences.algorithms = [.edDSA]
            $0.data.publicKey = CBORWriter.bytes(.map(key))
        }
        #expect(refusal == error(.publicKey(.notOnCurve), 20))
    }

    @Test(arguments: ["None", "android-safetynet", "compound", ""])
    func `step 21: a format that is not verified is refused`(_ format: String) async throws {
        let refusal = try await refusal { $0.format = format }
        #expect(refusal == error(.formatUnsupported, 21))
    }

    @Test func `step 22: a statement that doesn't hold is refused, whatever the policy`() async throws {
        let notEmpty = try await refusal { $0.statement = { _ in CBORMap([(.text("x"), .null)]) } }
        #expect(notEmpty == error(.attestation(.malformed, format: "none"), 22))
        let other = try CredentialKey.make(.es256)
        let forged = try await refusal {
            $0.format = "packed"
            $0.statement = { signed in
                CBORMap([(.text("alg"), CBORValue(-7)), (.text("sig"), .bytes(try other.sign(signed)))])
            }
        }
        #expect(forged == error(.attestation(.signatureInvalid, format: "packed"), 22))
        let itsOwn = try await refusal { $0.attestItself() }
        #expect(itsOwn == nil)
    }

    @Test func `step 23: anchors are asked for the model, the format and the time`() async throws {
        let anchors = ScriptedAnchors(true)
        var ceremony = try RegistrationCeremony()
        ceremony.format = "scripted"
        ceremony.expected.attestation = AttestationPolicy(
            .direct,
            anchors: anchors,
            formats: [ScriptedFormat(type: .basic)]
        )
        let record = try await ceremony.record()
        #expect(record.attestation == AttestationRecord(format: "scripted", type: .basic, isTrusted: true))
        let question = ScriptedAnchors.Question(
            format: "scripted",
            model: .proven(try .example()),
            now: ceremony.expected.now
        )
        #expect(anchors.questions == [question])
    }

    /// The type of an attestation, whether its certificates end at an anchor, and what each policy makes of it.
    private static let assessments: [(AttestationType, Bool, AttestationConveyance, CeremonyStepError?)] = [
        (.none, false, .none, nil), (.none, false, .indirect, nil), (.none, false, .direct, .attestationRequired),
        (.none, true, .enterprise, .attestationRequired), (.selfAttestation, false, .none, nil),
        (.selfAttestation, false, .indirect, nil), (.selfAttestation, true, .direct, .selfAttestationNotAllowed),
        (.selfAttestation, true, .enterprise, .selfAttestationNotAllowed), (.basic, false, .none, nil),
        (.basic, false, .indirect, nil), (.basic, true, .direct, nil),
        (.basic, false, .direct, .attestationUntrusted(.untrusted)),
        (.basic, true, .enterprise, nil), (.basic, false, .enterprise, .attestationUntrusted(.untrusted)),
        (.anonymizationCA, true, .direct, nil), (.anonymizationCA, false, .direct, .attestationUntrusted(.untrusted)),
    ]

    @Test(arguments: assessments)
    func `step 24: trust is asked for as the policy wants it`(
        _ type: AttestationType,
        _ isAnchored: Bool,
        _ conveyance: AttestationConveyance,
        _ fault: CeremonyStepError?
    ) async throws {
        let refusal = try await refusal {
            $0.format = "scripted"
            $0.expected.attestation = AttestationPolicy(
                conveyance,
                anchors: ScriptedAnchors(isAnchored),
                formats: [ScriptedFormat(type: type)]
            )
        }
        #expect(refusal == fault.map { error($0, 24) })
    }

    @Test func `step 24: a passkey that nobody vouches for is not recorded as trusted`() async throws {
        var ceremony = try RegistrationCeremony()
        ceremony.format = "scripted"
        ceremony.expected.attestation = AttestationPolicy(
            .indirect,
            anchors: ScriptedAnchors(false),
            formats: [ScriptedFormat(type: .basic)]
        )
        let record = try await ceremony.record()
        #expect(!record.attestation.isTrusted)
    }

    @Test func `step 25: an id of 1023 bytes is taken, and none longer`() async throws {
        let longest = try await refusal { $0.data.credentialID = Array(repeating: 3, count: 1023) }
        #expect(longest == nil)
        let longer = try await refusal { $0.data.credentialID = Array(repeating: 3, count: 1024) }
        #expect(longer == error(.credentialIDTooLong, 25))
    }

    @Test func `step 26: an id that somebody has is refused`() async throws {
        let refusal = try await refusal { $0.isRegistered = true }
        #expect(refusal == error(.credentialAlreadyRegistered, 26))
    }

    @Test func `step 27: a response that names another credential is refused`() async throws {
        let refusal = try await refusal { $0.responseID = [1, 2, 3] }
        #expect(refusal == error(.credentialIDMismatch, 27))
    }

    @Test func `step 28: credProps counts, and an unrequested extension doesn't`() async throws {
        let noObject = try await refusal { $0.extensionResults = ["credProps": .bool(true)] }
        #expect(noObject == error(.extensionOutput, 28))
        let noFlag = try await refusal { $0.extensionResults = ["credProps": .object(["rk": .string("yes")])] }
        #expect(noFlag == error(.extensionOutput, 28))
        let notDiscoverable = try await refusal {
            $0.extensionResults = ["credProps": .object(["rk": .bool(false)])]
            $0.expected.preferences.residentKey = .required
        }
        #expect(notDiscoverable == error(.notDiscoverable, 28))
        let unsaid = try await refusal {
            $0.extensionResults = ["prf": .bool(true), "appidExclude": .null]
            $0.expected.preferences.residentKey = .required
        }
        #expect(unsaid == nil)
        let byAuthenticator = try await refusal {
            $0.data.flags.insert(.extensions)
            $0.data.extensions = CBORWriter.bytes(.map(CBORMap([(.text("credProtect"), .unsigned(2))])))
        }
        #expect(byAuthenticator == nil)
    }

    @Test func `step 29: the stored values are the authenticator's`() async throws {
        var ceremony = try RegistrationCeremony()
        ceremony.data.signCount = 41
        let record = try await ceremony.record()
        #expect(
            record
                == CredentialRecord(
                    id: CredentialID(ceremony.data.credentialID),
                    publicKey: try COSEKey(ceremony.key.cose),
                    signCount: 41,
                    isUserVerified: true,
                    backup: CredentialRecord.BackupState(isEligible: false, isBackedUp: false),
                    authenticator: CredentialRecord.Authenticator(
                        aaguid: try .example(),
                        transports: ["internal", "hybrid"]
                    ),
                    attestation: AttestationRecord(format: "none", type: .none, isTrusted: false),
                    isDiscoverable: true
                )
        )
    }
}
