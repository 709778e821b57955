import Kernel
import SignIn

/// Decides whether a person may add a passkey or a face to their account.
///
/// An account that has neither takes any sign-in, otherwise nobody could get a first one. Another one takes a passkey
/// or a face of the account. A password or a mailed code alone adds none: it would become a passkey for clients that
/// refuse passwords and codes. A person who has lost theirs removes it first.
struct AuthenticatorEnrolmentPolicy: Sendable {
    let coolingOff: CoolingOff
    let means: MeansRemoval
    /// Returns the time at which the account was opened; `nil` if nobody can sign in to it.
    let accountMadeAt: @Sendable (AccountID) async throws -> Instant?
    /// Whether the rules hold for apps too.
    ///
    /// The published apps add passkeys after any sign-in.
    let holdsForApps: Bool

    /// Returns whether the proof suffices for the account.
    ///
    /// What a password or a mailed code added in the last day does not count beside something older (``CoolingOff``).
    /// In an account's first day every passkey and face of it counts, because there is nothing older.
    func isAllowed(to proven: ProvenMeans) async throws -> Bool {
        if try await isCounted(proven) { return true }
        if proven.passkey != nil || proven.hasFace, try await isFirstDay(of: proven) { return true }
        let ways = try await means.ways(of: proven.account)
        return try await !coolingOff.hasOlderProof(than: proven, hasFace: ways.hasFace)
    }

    /// Returns whether a passkey that the person adds now counts at once for clients that require one.
    ///
    /// That takes a passkey or a face that counts. An account's first day is exempt, because it has nothing yet that a
    /// passkey could take over. Otherwise people who open an account could not get to such a client for a day.
    func countsAtOnce(addedBy proven: ProvenMeans) async throws -> Bool {
        if try await isCounted(proven) { return true }
        return try await isFirstDay(of: proven)
    }

    private func isCounted(_ proven: ProvenMeans) async throws -> Bool {
        if try await coolingOff.isPasskeyCounted(by: proven) { return true }
        return try await coolingOff.isOver(for: proven)
    }

    /// Returns whether the proof was given in the account's first day.
    private func isFirstDay(of proven: ProvenMeans) async throws -> Bool {
        guard let madeAt = try await accountMadeAt(proven.account) else { return false }
        return !CoolingOff.isOver(since: madeAt, at: proven.at)
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
