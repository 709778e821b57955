import Accounts
import Kernel
import Passkeys
import Sessions
import SignIn

/// Decides which passkeys may be added, and which count for clients that require one (`requires: passkey`, `acr`).
///
/// A passkey that a password or a mailed code added proves no more than they do. It counts after its cooling-off, in
/// which the owner can act on the mail about it. Until then its sign-ins lack the method `mfa`, and so the context class.
struct PasskeyTrust: Sendable {
    let addition: MeansAddition
    let signIn: PasskeySignIn
    let accounts: AccountService
    let environment: Environment

    /// Returns the proof that the signature gives.
    func proof(of checked: CheckedSignIn) async throws -> AuthenticationProof {
        var isVerified = checked.isUserVerified
        if isVerified { isVerified = try await counts(checked) }
        return .passkey(checked.passkeyID, isSynced: checked.isSynced, isUserVerified: isVerified)
    }

    /// Returns whether the passkey has cooled off, or nobody but the owner could have added it.
    ///
    /// An account's first day is exempt, because it has nothing yet that a passkey could take over. Otherwise people who
    /// open an account could not get to such a client for a day.
    private func counts(_ checked: CheckedSignIn) async throws -> Bool {
        if CoolingOff.isOver(since: checked.passkeyMadeAt, at: environment.now()) { return true }
        if let account = try await accounts.active(checked.account)?.account,
            !CoolingOff.isOver(since: account.createdAt, at: checked.passkeyMadeAt)
        {
            return true
        }
        guard let session = try await signIn.setUpSession(of: checked.passkeyID) else { return false }
        return try await addition.coolingOff.isOver(for: session.means)
    }
}

extension Session {
    /// What the session's person proved at its beginning.
    fileprivate var means: ProvenMeans {
        ProvenMeans(
            account: account,
            at: authentication.at,
            methods: authentication.methods,
            passkey: authentication.passkey,
            keyDevice: tokenBinding.proof == .deviceKey ? linkedDevice?.id : nil
        )
    }
}
