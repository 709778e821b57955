import Kernel
import Passkeys
import Sessions

/// Decides which sessions may replace a means to sign in: a proven address, or an enrolled face.
///
/// A session that began with the password alone may not. A password does suffice to add an account's first key or face,
/// of which a mail tells the owner at once. So a new key or face counts no more than a password until ``period`` has
/// passed, in which the owner can act on that mail. A mailed code proves the address itself, and counts at once. A
/// passkey counts like a key, as long as the account still has the passkey that the session began with. A key that
/// replaces another key has to cool off too. Otherwise an attacker who held the old key for a moment would have a
/// trusted one at once.
struct CoolingOff: Sendable {
    /// The time after a key, passkey or face is added until its sign-ins count for more than a password.
    static let period: Duration = .seconds(24 * 3600)

    /// Returns the time at which the key of the account's device was added; `nil` without a key.
    let keySetUpAt: @Sendable (DeviceID, AccountID) async throws -> Instant?
    /// Returns the account's passkeys with the times of their additions, the oldest first.
    let passkeys: @Sendable (AccountID) async throws -> [(id: PasskeyID, addition: Passkey.Addition)]
    /// Returns whether a face may have been enrolled for the account within that time.
    let wasFaceEnrolled: @Sendable (AccountID, _ after: Instant, _ until: Instant) async throws -> Bool

    /// Returns whether the session began with more than a password.
    ///
    /// That is a mailed code, or a device key, passkey or face that had cooled off by then.
    func isBeyondPassword(_ who: SignedIn) async throws -> Bool {
        if who.isMailboxProven { return true }
        return try await isOver(for: who.means)
    }

    /// Returns whether the person has proved a device key, passkey or face that had cooled off by then.
    func isOver(for proven: ProvenMeans) async throws -> Bool {
        let latest = proven.at - Self.period
        if let passkey = proven.passkey, try await isPasskey(passkey, of: proven.account, madeBy: latest) {
            return true
        }
        if let device = proven.keyDevice, try await isKey(of: device, proven.account, setUpBy: latest) { return true }
        // A key never has the method `face`, which means a face that a provider has checked.
        guard proven.hasFace else { return false }
        return try await !wasFaceEnrolled(proven.account, latest, proven.at)
    }

    /// Returns whether the person has proved a passkey that counted by then for clients that require one.
    ///
    /// A passkey that another one has added does at once. It still has to cool off before it takes another's place.
    func isPasskeyCounted(by proven: ProvenMeans) async throws -> Bool {
        guard let passkey = proven.passkey else { return false }
        let own = try await passkeys(proven.account).first { $0.id == passkey }
        return own.map { $0.addition.countsFrom <= proven.at } ?? false
    }

    /// Returns whether the account has a passkey or a face that the person could not have added before this proof.
    ///
    /// The oldest passkey, or the only face, is the owner's own as far as anybody can tell.
    func hasOlderProof(than proven: ProvenMeans, hasFace: Bool) async throws -> Bool {
        let owned = try await passkeys(proven.account)
        return owned.first?.id != proven.passkey || (hasFace && !proven.hasFace)
    }

    /// Returns whether the session began with a face, or with a device key or passkey that had cooled off by then.
    ///
    /// A face needs no cooling-off here, because an agreement by face requires a scan of that face.
    func provesPerson(_ session: Session) async throws -> Bool {
        guard !AuthenticationMethods.proveFace(session.authentication.methods) else { return true }
        guard AuthenticationMethods.proveKey(session.authentication.methods) else { return false }
        let latest = session.authentication.at - Self.period
        if let passkey = session.authentication.passkey {
            return try await isPasskey(passkey, of: session.account, madeBy: latest)
        }
        guard session.tokenBinding.proof == .deviceKey, let device = session.linkedDevice?.id else { return false }
        return try await isKey(of: device, session.account, setUpBy: latest)
    }

    /// Returns whether the cooling-off of something that was added at `madeAt` has ended.
    static func isOver(since madeAt: Instant, at now: Instant) -> Bool { madeAt <= now - period }

    private func isPasskey(_ id: PasskeyID, of account: AccountID, madeBy latest: Instant) async throws -> Bool {
        guard let own = try await passkeys(account).first(where: { $0.id == id }) else { return false }
        return own.addition.at <= latest
    }

    private func isKey(of device: DeviceID, _ account: AccountID, setUpBy latest: Instant) async throws -> Bool {
        guard let setUpAt = try await keySetUpAt(device, account) else { return false }
        return setUpAt <= latest
    }

    /// Checks that the session began with more than a password.
    ///
    /// - Throws: ``APIError/stepUpRequired`` if it began with less; ``StoreError``.
    func requireBeyondPassword(_ who: SignedIn) async throws {
        guard try await isBeyondPassword(who) else { throw APIError.stepUpRequired }
    }

    /// Checks that the session may remove that passkey of the account.
    ///
    /// A session that began with more than a password may remove any passkey, and every session its own.
    /// - Throws: ``APIError/passkeyNotFound`` if it is not the account's; ``APIError/stepUpRequired``; ``StoreError``.
    func requireRemoval(of passkey: PasskeyID, _ who: SignedIn) async throws {
        let owned = try await passkeys(who.account)
        guard owned.contains(where: { $0.id == passkey }) else { throw APIError.passkeyNotFound }
        guard passkey != who.passkey else { return }
        try await requireBeyondPassword(who)
    }

    /// Checks that the session may give an account its first address, from which all its passkeys can be removed.
    ///
    /// That requires that the account has no passkey, or that the session began with its oldest one or with more than a
    /// password. An attacker cannot make a passkey the oldest: the removal of older ones has the same requirement.
    /// - Throws: ``APIError/stepUpRequired``; ``StoreError``.
    func requireOwner(_ who: SignedIn) async throws {
        guard let oldest = try await passkeys(who.account).first, oldest.id != who.passkey else { return }
        try await requireBeyondPassword(who)
    }
}
