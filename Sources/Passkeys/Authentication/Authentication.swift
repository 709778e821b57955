internal import Crypto
internal import FoundationEssentials

/// The verification of an authentication (WebAuthn L3 §7.2), in the order of the clause's steps.
///
/// Steps 1 and 2 happen in the options and the browser, 3 and 4 in ``AuthenticationResponse/init(json:)``. In step 24,
/// ``PasskeyStore`` records the values of ``VerifiedAuthentication``.
package struct Authentication: Sendable {
    private let response: AuthenticationResponse
    private let expected: AuthenticationExpectation

    private init(_ response: AuthenticationResponse, _ expected: AuthenticationExpectation) {
        self.response = response
        self.expected = expected
    }

    /// Verifies an authentication.
    ///
    /// `owned`: the stored credential with the response's id; `nil` if the id is unknown.
    package static func verify(
        _ response: AuthenticationResponse,
        by owned: OwnedCredential?,
        _ expected: AuthenticationExpectation
    ) throws(CeremonyError) -> VerifiedAuthentication {
        try Authentication(response, expected).verified(by: owned)
    }

    private func verified(by owned: OwnedCredential?) throws(CeremonyError) -> VerifiedAuthentication {
        // Step 5: the credential is a requested one, if any were requested.
        guard expected.allowedCredentials.isEmpty || expected.allowedCredentials.contains(response.id) else {
            throw fault(.credentialNotAllowed, 5)
        }
        let owned = try identified(owned)
        // Step 7: the authenticator data can be parsed.
        let data: AuthenticatorData
        do throws(AuthenticatorDataError) {
            data = try AuthenticatorData(response.authenticatorData)
        } catch { throw fault(.authenticatorData(error), 7) }
        // Steps 8 to 14: the client data.
        try CeremonyKind.authentication.verify(
            response.clientData,
            challenge: expected.challenge,
            relyingParty: expected.relyingParty
        )
        // Steps 15 to 18: the RP ID and the required flags.
        try CeremonyKind.authentication.verify(
            data,
            relyingParty: expected.relyingParty,
            requiresUserPresence: true,
            requiresUserVerification: expected.requiresUserVerification
        )
        let credential = owned.record
        // Steps 19.1 and 19.2: the backup eligibility never changes.
        guard credential.backup.isEligible == data.flags.contains(.backupEligible) else {
            throw fault(.backupEligibilityChanged, 19)
        }
        // Step 20: the hash of the client data.
        let hash = Array(SHA256.hash(data: response.clientDataJSON))
        // Step 21: the signature.
        guard credential.publicKey.verifies(response.signature, over: response.authenticatorData, hash) else {
            throw fault(.signatureInvalid, 21)
        }
        let counter = try counter(of: data, credential)
        // Step 23: the options request no extension, and unrequested outputs are ignored.
        return VerifiedAuthentication(
            credentialID: credential.id,
            userHandle: owned.userHandle,
            isUserVerified: data.flags.contains(.userVerified),
            counter: counter,
            signCount: max(credential.signCount, data.signCount),
            isBackedUp: data.flags.contains(.backedUp),
            hasBackupChanged: data.flags.contains(.backedUp) != credential.backup.isBackedUp
        )
    }

    /// Step 6: returns the credential, if its owner is the user who signs in.
    private func identified(_ owned: OwnedCredential?) throws(CeremonyError) -> OwnedCredential {
        guard let owned, owned.record.id == response.id else { throw fault(.credentialUnknown, 6) }
        if let named = expected.userHandle {
            // A user was identified before: the credential must be theirs, and so must the user handle, if present.
            guard named == owned.userHandle else { throw fault(.credentialUnknown, 6) }
            guard response.userHandle.map({ $0 == named }) ?? true else { throw fault(.userHandleMismatch, 6) }
        } else {
            // Nobody was: the handle came, and the one whom it names has that credential.
            guard let handle = response.userHandle else { throw fault(.userHandleMissing, 6) }
            guard handle == owned.userHandle else { throw fault(.userHandleMismatch, 6) }
        }
        return owned
    }

    /// Step 22: the signature counter has grown, unless it is always zero.
    private func counter(
        of data: AuthenticatorData,
        _ credential: CredentialRecord
    ) throws(CeremonyError) -> CounterVerdict {
        guard data.signCount != 0 || credential.signCount != 0 else { return .unused }
        guard data.signCount <= credential.signCount else { return .increased }
        guard expected.counterPolicy == .flag else { throw fault(.counterNotIncreased, 22) }
        return .notIncreased
    }

    private func fault(_ fault: CeremonyStepError, _ step: Int) -> CeremonyError {
        CeremonyError(fault, .authentication(step))
    }
}
