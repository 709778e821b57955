import Kernel
import Testing

@testable import Passkeys

/// Steps 22 to 24 of WebAuthn L3 §7.1: what is made of what speaks against an attestation.
struct RegistrationTrustTests {
    private static let doubts: [TrustError] = [
        .untrusted, .order, .notYetValid, .expired, .criticalExtension, .weakSignature, .keyUsage, .constraints,
        .attestationType, .metadataOverdue,
    ]

    @Test(arguments: doubts, [AttestationConveyance.direct, .enterprise])
    func `where trust is required the refusal says what is wrong`(
        _ doubt: TrustError,
        _ conveyance: AttestationConveyance
    ) async throws {
        let refusal = try await outcome(.basic, doubt, conveyance).refusal
        #expect(refusal == CeremonyError(.attestationUntrusted(doubt), .registration(24)))
        #expect(refusal?.code == doubt.code)
    }

    @Test(arguments: doubts)
    func `where it isn't, the registration continues and says why`(_ doubt: TrustError) async throws {
        for type in [AttestationType.basic, .anonymizationCA, .selfAttestation] {
            let outcome = try await outcome(type, doubt, .indirect)
            let verified = try #require(outcome.verified)
            let record = try verified.record(isRegistered: false)
            #expect(record.attestation.doubt == doubt.code)
            #expect(!record.attestation.isTrusted)
        }
    }

    // T-132
    @Test(arguments: [AttestationType.basic, .anonymizationCA, .selfAttestation])
    func `a model that is known to be bad doesn't come in as an unknown one`(_ type: AttestationType) async throws {
        let bad = TrustError.status(.revoked)
        let refusal = try await outcome(type, bad, .indirect).refusal
        #expect(refusal == CeremonyError(.attestationUntrusted(bad), .registration(24)))
        #expect(refusal?.code == "authenticator_status")
        // Where nobody asks, nobody is told.
        let unasked = try await outcome(type, bad, .none).refusal
        #expect(unasked == nil)
    }

    // T-132
    @Test func `a credential that attests itself is never trusted, whatever is known of its model`() async throws {
        let outcome = try await outcome(.selfAttestation, nil, .indirect)
        let record = try #require(outcome.verified).record(isRegistered: false)
        #expect(!record.attestation.isTrusted)
        let question = ScriptedAnchors.Question(format: "self", model: .claimed(try .example()), now: outcome.now)
        #expect(outcome.questions == [question])
    }

    @Test func `a device's number is taken where it is asked for, and nowhere else`() async throws {
        let asked = try await outcome(.basic, nil, .enterprise, serialNumber: [4, 2])
        let record = try #require(asked.verified).record(isRegistered: false)
        #expect(record.attestation.serialNumber == [4, 2])
        for conveyance in AttestationConveyance.allCases where conveyance != .enterprise {
            let refusal = try await outcome(.basic, nil, conveyance, serialNumber: [4, 2]).refusal
            #expect(
                refusal == CeremonyError(.attestation(.serialNumberNotAsked, format: "scripted"), .registration(22))
            )
        }
    }

    private struct Outcome {
        var verified: VerifiedRegistration?
        var refusal: CeremonyError?
        let questions: [ScriptedAnchors.Question]
        let now: Instant
    }

    private func outcome(
        _ type: AttestationType,
        _ doubt: TrustError?,
        _ conveyance: AttestationConveyance,
        serialNumber: [UInt8]? = nil
    ) async throws -> Outcome {
        let anchors = ScriptedAnchors(doubt)
        var ceremony = try RegistrationCeremony()
        ceremony.format = "scripted"
        ceremony.expected.attestation = AttestationPolicy(
            conveyance,
            anchors: anchors,
            formats: [ScriptedFormat(type: type, serialNumber: serialNumber)]
        )
        let now = ceremony.expected.now
        do {
            let verified = try await Registration.verify(try ceremony.response(), ceremony.expected)
            return Outcome(verified: verified, refusal: nil, questions: anchors.questions, now: now)
        } catch let error as CeremonyError {
            return Outcome(verified: nil, refusal: error, questions: anchors.questions, now: now)
        }
    }
}
