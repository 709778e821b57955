internal import Crypto
internal import FoundationEssentials
internal import Kernel

/// The verification of a registration (WebAuthn L3 §7.1), in the order of the clause's steps.
///
/// Steps 1 and 2 happen in the options and the browser, 3 and 4 in ``RegistrationResponse/init(json:)``. Steps 26, 27
/// and 29 need the database: ``VerifiedRegistration/record(isRegistered:)`` and ``PasskeyStore``.
package struct Registration: Sendable {
    private let response: RegistrationResponse
    private let expected: RegistrationExpectation

    private init(_ response: RegistrationResponse, _ expected: RegistrationExpectation) {
        self.response = response
        self.expected = expected
    }

    /// Verifies a registration in every step that does not need the database.
    package static func verify(
        _ response: RegistrationResponse,
        _ expected: RegistrationExpectation
    ) async throws(CeremonyError) -> VerifiedRegistration {
        try await Registration(response, expected).verified()
    }

    private func verified() async throws(CeremonyError) -> VerifiedRegistration {
        // Steps 5 to 11: the client data.
        try CeremonyKind.registration.verify(
            response.clientData,
            challenge: expected.challenge,
            relyingParty: expected.relyingParty
        )
        // Step 12: the hash of the client data.
        let hash = Array(SHA256.hash(data: response.clientDataJSON))
        // Step 13: the attestation object.
        let (object, credential) = try attestationObject()
        try verify(object.authenticatorData)
        let publicKey = try publicKey(of: credential)
        let attested = try await attestation(
            AttestationInput(
                statement: object.statement,
                authenticatorData: object.authenticatorData,
                credential: credential,
                publicKey: publicKey,
                clientDataHash: hash,
                now: expected.now
            )
        )
        // Step 25: the credential id is not too long.
        guard credential.id.bytes.count <= CredentialID.maximumLength else { throw fault(.credentialIDTooLong, 25) }
        // Step 27, the part of it that can fail: the stored id is the one that the authenticator created.
        guard credential.id == response.id else { throw fault(.credentialIDMismatch, 27) }
        return VerifiedRegistration(
            CredentialRecord(
                id: credential.id,
                publicKey: publicKey,
                signCount: object.authenticatorData.signCount,
                isUserVerified: object.authenticatorData.flags.contains(.userVerified),
                // Step 19: the backup state is kept, and shown to its owner.
                backup: CredentialRecord.BackupState(object.authenticatorData.flags),
                authenticator: CredentialRecord.Authenticator(
                    aaguid: credential.aaguid,
                    transports: response.transports
                ),
                attestation: attested.record,
                isDiscoverable: try discoverability()
            ),
            attested.model
        )
    }

    private func attestationObject() throws(CeremonyError) -> (AttestationObject, AttestedCredential) {
        let object: AttestationObject
        do throws(AttestationObjectError) {
            object = try AttestationObject(response.attestationObject)
        } catch { throw fault(.attestationObject(error), 13) }
        guard let credential = object.authenticatorData.credential else { throw fault(.noAttestedCredential, 13) }
        return (object, credential)
    }

    private func verify(_ data: AuthenticatorData) throws(CeremonyError) {
        // Steps 14 to 17: the RP ID and the required flags.
        try CeremonyKind.registration.verify(
            data,
            relyingParty: expected.relyingParty,
            requiresUserPresence: !expected.isConditional,
            requiresUserVerification: expected.preferences.userVerification == .required
        )
        // Step 18: the policy decides whether the credential may be on several devices.
        guard expected.allowsBackupEligible || !data.flags.contains(.backupEligible) else {
            throw fault(.backupEligibleNotAllowed, 18)
        }
    }

    /// Step 20: the algorithm was offered, and the key is valid for it.
    private func publicKey(of credential: AttestedCredential) throws(CeremonyError) -> COSEKey {
        let key: COSEKey
        do throws(COSEKeyError) {
            key = try COSEKey(credential.publicKey, bytes: credential.publicKeyBytes)
        } catch { throw fault(.publicKey(error), 20) }
        guard expected.preferences.algorithms.contains(key.algorithm) else { throw fault(.algorithmNotOffered, 20) }
        return key
    }

    private func attestation(
        _ input: AttestationInput
    ) async throws(CeremonyError) -> (record: AttestationRecord, model: AttestedModel) {
        let identifier = input.statement.format
        // Step 21: the format is supported.
        guard let format = expected.attestation.formats.first(where: { $0.identifier == identifier }) else {
            throw fault(.formatUnsupported, 21)
        }
        // Step 22: the statement is valid.
        let result: AttestationResult
        do throws(AttestationError) {
            result = try format.verify(input)
        } catch { throw fault(.attestation(error, format: identifier), 22) }
        // Only a requested enterprise attestation may tell a device from others of its model (§8.2.2).
        guard result.serialNumber == nil || expected.attestation.conveyance == .enterprise else {
            throw fault(.attestation(.serialNumberNotAsked, format: identifier), 22)
        }
        let doubt = try await doubt(result, input)
        let hasTrust = expected.attestation.conveyance != .none && result.type.isCertified && doubt == nil
        let record = AttestationRecord(
            format: identifier,
            type: result.type,
            isTrusted: hasTrust,
            doubt: doubt?.code,
            serialNumber: result.serialNumber
        )
        return (record, result.model)
    }

    /// Steps 23 and 24: returns the reason against trust, if trust is requested but not required.
    ///
    /// A model with an undesired status in the metadata is refused even if trust is not required.
    private func doubt(
        _ result: AttestationResult,
        _ input: AttestationInput
    ) async throws(CeremonyError) -> TrustError? {
        let policy = expected.attestation
        guard policy.conveyance != .none else { return nil }
        if policy.conveyance.requiresTrust {
            guard result.type != .none else { throw fault(.attestationRequired, 24) }
            // Anyone can make a self attestation for any model, even for one whose metadata lists self attestation.
            guard result.type != .selfAttestation else { throw fault(.selfAttestationNotAllowed, 24) }
        }
        do throws(TrustError) {
            switch result.type {
            case .none:
                break
            case .selfAttestation:
                try policy.anchors.assessSelf(aaguid: input.credential.aaguid, at: input.now)
            case .basic, .anonymizationCA:
                try await policy.anchors.assess(
                    result.trustPath,
                    format: input.statement.format,
                    model: result.model,
                    at: input.now
                )
            }
        } catch {
            guard !policy.conveyance.requiresTrust, !error.isReported else {
                throw fault(.attestationUntrusted(error), 24)
            }
            return error
        }
        return nil
    }

    /// Step 28: reads `credProps`, the only requested extension; the outputs of others are ignored.
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
        guard discoverable != false || expected.preferences.residentKey != .required else {
            throw fault(.notDiscoverable, 28)
        }
        return discoverable
    }

    private func fault(_ fault: CeremonyStepError, _ step: Int) -> CeremonyError {
        CeremonyError(fault, .registration(step))
    }
}

/// A verified registration, except for the checks that need the database.
package struct VerifiedRegistration: Sendable {
    /// The record to store, without an owner yet.
    private let credential: CredentialRecord
    /// The authenticator's model, and whether the attestation proves it.
    package let model: AttestedModel

    init(_ credential: CredentialRecord, _ model: AttestedModel) {
        self.credential = credential
        self.model = model
    }

    /// The id to look up among all passkeys, for ``record(isRegistered:)``.
    package var credentialID: CredentialID { credential.id }

    /// Returns the record to store (steps 26, 27 and 29).
    ///
    /// The lookup and the insertion belong in one transaction. Otherwise an attacker who knows another user's
    /// credential id and public key could register them (§7.1, note to step 26).
    ///
    /// `isRegistered`: whether the store has that id, of any account.
    package func record(isRegistered: Bool) throws(CeremonyError) -> CredentialRecord {
        guard !isRegistered else { throw CeremonyError(.credentialAlreadyRegistered, .registration(26)) }
        return credential
    }
}
