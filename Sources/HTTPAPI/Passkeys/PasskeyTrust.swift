import Kernel
import Passkeys
import SignIn

/// Decides which passkeys may be added, and which count for clients that require one (`requires`, `acr`).
///
/// A passkey that a password or a mailed code added proves no more than they do. It counts after its cooling-off, in
/// which the owner can act on the mail about it. Until then its sign-ins lack the methods `user` and `mfa`.
struct PasskeyTrust: Sendable {
    let enrolmentPolicy: AuthenticatorEnrolmentPolicy
    let environment: Environment

    /// Returns the proof that the signature gives.
    func proof(of checked: CheckedSignIn) -> AuthenticationProof {
        checked.passkeyCountsFrom <= environment.now()
            ? checked.proof : .youngPasskey(checked.passkeyID, isSynced: checked.isSynced)
    }

    /// Returns the time from which a passkey counts that the person adds now, after that proof.
    ///
    /// It is kept with the passkey, so that it stays the same when the older passkey that added it is removed.
    func countsFrom(addedBy proven: ProvenMeans) async throws -> Instant {
        let now = environment.now()
        return try await enrolmentPolicy.countsAtOnce(addedBy: proven) ? now : now + CoolingOff.period
    }
}
