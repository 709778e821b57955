internal import Crypto
internal import FoundationEssentials
internal import Kernel

/// The verification of a registration (WebAuthn L3 §7.1), step by step in the clause's order.
///
/// Steps 1 and 2 are the options and the browser's; 3 and 4 are ``RegistrationResponse/init(json:)``; 26, 27 and 29 are
/// ``VerifiedRegistration/record(isRegistered:)`` and the store's.
package struct Registration: Sendable {
    private let response: RegistrationResponse
    private let expected: RegistrationExpectation

    private init(_ response: RegistrationResponse, _ expected: RegistrationExpectation) {
        self.response = response
        self.expected = expected
    }

    /// A registration that holds in every step that can be taken without the store.
    package static func verify(
        _ response: RegistrationResponse,
        _ expected: RegistrationExpectation
    ) async throws(CeremonyError) -> VerifiedRegistration {
        try await Registration(response, expected).verified()
    }

    private func verified() async throws(CeremonyError) -> VerifiedRegistration {
        // Steps 5 to 11: the client data.
        try CeremonyKind.registration.verify(
            clientData: response.clientDataJSON,
            challenge: expected.challenge,
            relyingParty: expected.relyingParty
        )
        // Step 12: its hash.
        let hash = Array(SHA256.hash(data: response.clientDataJSON))
        // Step 13: the attestation object.
        let (object, credential) = try attestationObject()
        try verify(object.authenticatorData)
        let publicKey = try publicKey(of: credential)
        let attestation = try await attestation(
            AttestationInput(
                statement: object.statement,
                authenticatorData: object.authenticatorData,
                credential: credential,
                publicKey: publicKey,
                clientDataHash: hash,
                now: expected.now
            )
        )
        // Step 25: an id that can be kept.
        guard credential.id.bytes.count <= CredentialID.maximumLength else { throw fault(.credentialIDTooLong, 25) }
        // Step 27, the part of it that can fail: what is kept under the id is what the authenticator made under it.
        guard credential.id == response.id else { throw fault(.credentialIDMismatch, 27) }
        return VerifiedRegistration(
            CredentialRecord(
                id: credential.id,
                publicKey: publicKey,
                signCount: object.authenticatorData.signCount,
                isUserVerified: object.authenticatorData.flags.contains(.userVerified),
                transports: response.transports,
                isBackupEligible: object.authenticatorData.flags.contains(.backupEligible),
                // Step 19: the backup state is kept, and shown to its owner.
                isBackedUp: object.authenticatorData.flags.contains(.backedUp),
                aaguid: credential.aaguid,
                attestation: attestation,
                isDiscoverable: try discoverability()
            )
        )
    }

    private func attestationObject() throws(CeremonyError) -> (AttestationObject, AttestedCredential) {
        let object: AttestationObject
        do throws(AttestationObjectFault) {
            object = try AttestationObject(response.attestationObject)
        } catch { throw fault(.attestationObject(error), 13) }
        guard let credential = object.authenticatorData.credential else { throw fault(.noAttestedCredential, 13) }
        return (object, credential)
    }

    private func verify(_ data: AuthenticatorData) throws(CeremonyError) {
        // Steps 14 to 17: the RP ID, and the flags that have to be.
        try CeremonyKind.registration.verify(
            data,
            relyingParty: expected.relyingParty,
            requiresUserPresence: !expected.isConditional,
            requiresUserVerification: expected.requiresUserVerification
        )
        // Step 18: whether copies may be made is the relying party's policy.
        guard expected.allowsBackupEligible || !data.flags.contains(.backupEligible) else {
            throw fault(.backupEligibleNotAllowed, 18)
        }
    }

    /// Step 20: the algorithm was offered; and the key is a good one of it.
    private func publicKey(of credential: AttestedCredential) throws(CeremonyError) -> COSEKey {
        let key: COSEKey
        do throws(COSEKeyFault) {
            key = try COSEKey(credential.publicKey, bytes: credential.publicKeyBytes)
        } catch { throw fault(.publicKey(error), 20) }
        guard expected.algorithms.contains(key.algorithm) else { throw fault(.algorithmNotOffered, 20) }
        return key
    }

    private func attestation(_ input: AttestationInput) async throws(CeremonyError) -> AttestationRecord {
        let identifier = input.statement.format
        // Step 21: the format is one that is verified.
        guard let format = expected.attestation.formats.first(where: { $0.identifier == identifier }) else {
            throw fault(.formatUnsupported, 21)
        }
        // Step 22: the statement holds.
        let result: AttestationResult
        do throws(AttestationFault) {
            result = try format.verify(input)
        } catch { throw fault(.attestation(error), 22) }
        return AttestationRecord(
            format: identifier,
            type: result.type,
            isTrusted: try await trusts(result, input)
        )
    }

    /// Steps 23 and 24: whether somebody who is trusted vouches for it, where that is asked.
    private func trusts(_ result: AttestationResult, _ input: AttestationInput) async throws(CeremonyError) -> Bool {
        let policy = expected.attestation
        guard policy.conveyance != .none else { return false }
        switch result.type {
        case .none:
            guard !policy.conveyance.requiresTrust else { throw fault(.attestationRequired, 24) }
            return false
        case .selfAttestation:
            guard !policy.conveyance.requiresTrust else { throw fault(.selfAttestationNotAllowed, 24) }
            return false
        case .basic, .anonymizationCA:
            let isAnchored = await policy.anchors.anchors(
                result.trustPath,
                format: input.statement.format,
                aaguid: input.credential.aaguid,
                at: input.now
            )
            guard isAnchored || !policy.conveyance.requiresTrust else { throw fault(.attestationUntrusted, 24) }
            return isAnchored
        }
    }

    /// Step 28: of the outputs of extensions `credProps` counts; those that nobody asked for are passed over.
    private func discoverability() throws(CeremonyError) -> Bool? {
        var discoverable: Bool?
        switch response.extensionResults["credProps"] {
        case nil: break
        case .object(let properties):
            switch properties["rk"] {
            case nil: break
            case .bool(let isResident): discoverable = isResident
            default: throw fault(.extensionOutput, 28)
            }
        default: throw fault(.extensionOutput, 28)
        }
        guard discoverable != false || !expected.requiresDiscoverable else { throw fault(.notDiscoverable, 28) }
        return discoverable
    }

    private func fault(_ fault: CeremonyFault, _ step: Int) -> CeremonyError {
        CeremonyError(fault, .registration(step))
    }
}

/// A registration in which everything holds but what only the store knows.
package struct VerifiedRegistration: Sendable {
    /// What would be kept; not yet anybody's.
    private let credential: CredentialRecord

    init(_ credential: CredentialRecord) { self.credential = credential }

    /// The name under which the store is asked.
    package var credentialID: CredentialID { credential.id }

    /// The record to keep (steps 26, 27 and 29); `isRegistered`: whether the store has that id, of any account.
    ///
    /// Ask and keep in one transaction: somebody who knows the id and the public key of another's credential could
    /// otherwise have them under his own name (§7.1, note to step 26).
    package func record(isRegistered: Bool) throws(CeremonyError) -> CredentialRecord {
        guard !isRegistered else { throw CeremonyError(.credentialAlreadyRegistered, .registration(26)) }
        return credential
    }
}
