import Kernel
import SignIn

/// Decides whether a person may add a passkey or a face to their account.
///
/// An account that has neither takes any sign-in, otherwise nobody could get a first one. Another one takes a passkey
/// or a face of the account. A password or a mailed code alone adds none: it would become a passkey for clients that
/// refuse passwords and codes. A person who has lost theirs removes it first.
struct MeansAddition: Sendable {
    let coolingOff: CoolingOff
    let means: MeansRemoval
    /// Whether the rules hold for apps too.
    ///
    /// The published apps add passkeys after any sign-in.
    let holdsForApps: Bool

    /// Returns whether the proof suffices for the account.
    ///
    /// What was added in the last day does not count beside something older (``CoolingOff``).
    func isAllowed(to proven: ProvenMeans) async throws -> Bool {
        if try await coolingOff.isOver(for: proven) { return true }
        let ways = try await means.ways(of: proven.account)
        return try await !coolingOff.hasOlderProof(than: proven, hasFace: ways.hasFace)
    }

    /// Returns whether the session began with enough to change or remove what signs the person in.
    ///
    /// An account with a passkey or a face needs more than its password; any sign-in suffices for all others.
    func isEnoughForChanges(_ who: SignedIn) async throws -> Bool {
        if try await coolingOff.isBeyondPassword(who) { return true }
        let ways = try await means.ways(of: who.account)
        return try await !coolingOff.hasOlderProof(than: who.means, hasFace: ways.hasFace)
    }

    /// Returns whether an app may add a passkey or a face in the session.
    func isAllowed(toApp who: SignedIn) async throws -> Bool {
        guard holdsForApps else { return true }
        return try await isAllowed(to: who.means)
    }

    /// Checks that an app may add a passkey or a face in the session.
    ///
    /// - Throws: ``APIError/stepUpRequired``; ``StoreError``.
    func require(ofApp who: SignedIn) async throws {
        guard try await isAllowed(toApp: who) else { throw APIError.stepUpRequired }
    }
}
