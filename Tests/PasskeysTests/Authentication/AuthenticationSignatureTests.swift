import Kernel
import Testing

@testable import Passkeys

/// The steps of WebAuthn L3 §7.2 from the hash on: the signature, the counter, what is kept.
struct AuthenticationSignatureTests {
    private func error(_ fault: CeremonyStepError, _ step: Int) -> CeremonyError {
        CeremonyError(fault, .authentication(step))
    }

    @Test func `step 20: the hash is that of the client data as they were sent`() throws {
        var ceremony = try AuthenticationCeremony()
        ceremony.sentClientData = Array(" ".utf8) + ceremony.clientData.bytes
        let broken = ceremony
        #expect(throws: error(.signatureInvalid, 21)) { try broken.verified() }
    }

    @Test(arguments: COSEAlgorithm.allCases)
    func `step 21: a signature of another key is refused, and one that was changed`(_ algorithm: COSEAlgorithm) throws {
        var ceremony = try AuthenticationCeremony(algorithm)
        let signed = ceremony.data.bytes
        // The RSA key is the same in all tests: what differs there is what was signed.
        ceremony.tamper = { _ in (try? CredentialKey.make(algorithm).sign(signed)) ?? [] }
        let foreign = ceremony
        #expect(throws: error(.signatureInvalid, 21)) { try foreign.verified() }
        for position in [0, 1, 5, 20, -1] {
            ceremony.tamper = { signature in
                var changed = signature
                changed[position < 0 ? changed.count - 1 : position] ^= 1
                return changed
            }
            let changed = ceremony
            #expect(throws: error(.signatureInvalid, 21), "byte \(position)") { try changed.verified() }
        }
        ceremony.tamper = { $0 + [0] }
        let longer = ceremony
        #expect(throws: error(.signatureInvalid, 21)) { try longer.verified() }
        ceremony.tamper = { _ in [] }
        let none = ceremony
        #expect(throws: error(.signatureInvalid, 21)) { try none.verified() }
    }

    @Test func `step 21: attack: the counter can't be raised behind the authenticator's back`() throws {
        var ceremony = try AuthenticationCeremony()
        var raised = ceremony.data
        raised.signCount = 1000
        ceremony.sentData = raised.bytes
        let broken = ceremony
        #expect(throws: error(.signatureInvalid, 21)) { try broken.verified() }
    }

    @Test(arguments: [(7, 7), (7, 6), (7, 0), (UInt32.max, 1)] as [(UInt32, UInt32)])
    func `step 22: a counter that has not grown is refused, or flagged where policy says so`(
        _ kept: UInt32,
        _ sent: UInt32
    ) throws {
        var ceremony = try AuthenticationCeremony()
        ceremony.credential.signCount = kept
        ceremony.data.signCount = sent
        let refused = ceremony
        #expect(throws: error(.counterNotIncreased, 22)) { try refused.verified() }
        ceremony.expected.counterPolicy = .flag
        let flagged = try ceremony.verified()
        #expect(flagged.counter == .notIncreased)
        #expect(flagged.signCount == kept, "a copy that lags behind is detected again")
    }

    @Test func `step 22: a counter that has grown holds, and one that both have at zero doesn't count`() throws {
        var ceremony = try AuthenticationCeremony()
        ceremony.credential.signCount = 0
        ceremony.data.signCount = 1
        let first = try ceremony.verified()
        #expect(first.counter == .increased && first.signCount == 1)
        ceremony.data.signCount = 0
        let unused = try ceremony.verified()
        #expect(unused.counter == .unused && unused.signCount == 0)
    }

    @Test func `step 23: outputs of extensions that nobody asked for are passed over`() throws {
        var ceremony = try AuthenticationCeremony()
        ceremony.data.flags.insert(.extensions)
        ceremony.data.extensions = CBORWriter.bytes(.map(CBORMap([(.text("x"), .unsigned(1))])))
        ceremony.extensionResults = ["appid": .bool(false), "largeBlob": .object([:])]
        let verified = try ceremony.verified()
        #expect(verified.counter == .increased)
        ceremony.data.extensions = [0x01]
        let broken = ceremony
        #expect(throws: error(.authenticatorData(.extensionsType), 7)) { try broken.verified() }
    }

    @Test func `step 24: the stored values are the authenticator's`() throws {
        var ceremony = try AuthenticationCeremony()
        ceremony.credential = try .example(
            ceremony.key,
            id: ceremony.responseID,
            signCount: 3,
            isBackupEligible: true,
            isBackedUp: true
        )
        ceremony.data.flags.insert(.backupEligible)
        ceremony.data.flags.remove(.userVerified)
        ceremony.expected.requiresUserVerification = false
        let verified = try ceremony.verified()
        #expect(
            verified
                == VerifiedAuthentication(
                    credentialID: CredentialID(ceremony.responseID),
                    userHandle: AuthenticationCeremony.handle,
                    isUserVerified: false,
                    counter: .increased,
                    signCount: 8,
                    isBackedUp: false,
                    hasBackupChanged: true
                )
        )
    }

    @Test func `step 25: a registration's statement does not authenticate`() throws {
        // Self attestation is a signature of the credential's key over the same two parts.
        var ceremony = try AuthenticationCeremony()
        ceremony.clientData.type = "webauthn.create"
        ceremony.data.flags.insert(.attestedCredential)
        ceremony.data.publicKey = ceremony.key.cose
        let replayed = ceremony
        #expect(throws: error(.wrongType, 10)) { try replayed.verified() }
    }
}
