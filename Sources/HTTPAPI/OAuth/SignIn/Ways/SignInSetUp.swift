import Kernel
import OAuth

/// Decides whether a person who has signed in on the page may set up a passkey or a face there.
///
/// The rule is that of the account centre (``AuthenticatorEnrolmentPolicy``).
struct SignInSetUp: Sendable {
    let enrolmentPolicy: AuthenticatorEnrolmentPolicy
    let environment: Environment

    /// Returns whether the proof is recent, and enough for the account.
    func isAllowed(to proven: Interaction.Proven) async throws -> Bool {
        guard isRecent(proven) else { return false }
        return try await enrolmentPolicy.isAllowed(to: proven.means)
    }

    /// Returns whether a passkey that the person adds after that proof waits a day before it counts.
    func waits(after proven: Interaction.Proven) async throws -> Bool {
        try await !enrolmentPolicy.countsAtOnce(addedBy: proven.means)
    }

    /// Returns whether the proof is of the last ten minutes: an interaction can last longer.
    func isRecent(_ proven: Interaction.Proven) -> Bool {
        environment.now() - proven.authentication.at < SignedInReader.recency
    }
}
