import Kernel
import OAuth
import SignIn

/// Decides whether a person who has signed in on the page may set up a passkey or a face there.
///
/// The rule is that of the account centre (``AccountStepUp``). An account that has a passkey or a face takes one of
/// them or a mailed code. Otherwise a learned password would become a passkey for clients that refuse passwords.
struct SignInSetUp: Sendable {
    let means: MeansRemoval
    let environment: Environment

    /// Returns whether the proof is recent, and enough for the account.
    func isAllowed(to proven: Interaction.Proven) async throws -> Bool {
        guard isRecent(proven) else { return false }
        let methods = proven.authentication.methods
        if AuthenticationMethods.provePerson(methods) || methods.contains("otp") { return true }
        return try await !means.ways(of: proven.account).provePerson
    }

    /// Returns whether the proof is of the last ten minutes: an interaction can last longer.
    func isRecent(_ proven: Interaction.Proven) -> Bool {
        environment.now() - proven.authentication.at < SignedInReader.recency
    }
}
