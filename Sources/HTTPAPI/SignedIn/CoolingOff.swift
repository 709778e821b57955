package import Kernel
import Sessions

/// Tells which sessions may replace what the owner signs in with: a proven address, or a face that is enrolled.
///
/// Whoever has learned the password alone may not. But a password is enough to give an account its first key or its first
/// face, of which the owner is told by mail at once; so neither counts for more than a password before ``period`` has
/// passed, in which the owner can act on that mail. A mailed code is proof of the address itself, and counts at once. The
/// same goes for a passkey, for as long as the account has the one that the session began with. A key that the one before it
/// vouched for is as young as any: whoever held the old one for a moment would else have one of his own at once.
package struct CoolingOff: Sendable {
    /// From the set-up of a key, a passkey or a face to the first sign-in by it that counts for more than a password.
    package static let period: Duration = .seconds(24 * 3600)

    private let keySetUpAt: @Sendable (DeviceID, AccountID) async throws -> Instant?
    private let passkeys: @Sendable (AccountID) async throws -> [(id: PasskeyID, madeAt: Instant)]
    private let wasFaceEnrolled: @Sendable (AccountID, _ after: Instant, _ until: Instant) async throws -> Bool

    /// `keySetUpAt`: when the account's device got the key that it has, `nil` where it has none; `passkeys`: the account's
    /// with when they were made, the oldest first; `wasFaceEnrolled`:
    /// whether the account may have got a face within that time.
    package init(
        keySetUpAt: @escaping @Sendable (DeviceID, AccountID) async throws -> Instant?,
        passkeys: @escaping @Sendable (AccountID) async throws -> [(id: PasskeyID, madeAt: Instant)],
        wasFaceEnrolled: @escaping @Sendable (AccountID, _ after: Instant, _ until: Instant) async throws -> Bool
    ) {
        self.keySetUpAt = keySetUpAt
        self.passkeys = passkeys
        self.wasFaceEnrolled = wasFaceEnrolled
    }

    /// Whether the session began with more than a password: a mailed code, or a key of the device, a passkey or a face
    /// that had cooled off by then.
    func isBeyondPassword(_ who: SignedIn) async throws -> Bool {
        if who.isMailboxProven { return true }
        let latest = who.authenticatedAt - Self.period
        if let passkey = who.passkey { return try await isPasskey(passkey, of: who.account, madeBy: latest) }
        // Of a key's session `face` is never said: that is a face which a provider has judged.
        if who.methods.contains("hwk") {
            guard who.isOfDeviceKey, let device = who.device else { return false }
            return try await isKey(of: device, who.account, setUpBy: latest)
        }
        guard who.methods.contains("face") else { return false }
        return try await !wasFaceEnrolled(who.account, latest, who.authenticatedAt)
    }

    /// Whether the session began with a face, or with a key of the device or a passkey that had cooled off by then.
    ///
    /// A face needs no day here: what is agreed to by it takes a scan of it.
    func provesPerson(_ session: Session) async throws -> Bool {
        guard !AuthenticationMethods.proveFace(session.methods) else { return true }
        guard AuthenticationMethods.proveKey(session.methods) else { return false }
        let latest = session.authenticatedAt - Self.period
        if let passkey = session.passkey { return try await isPasskey(passkey, of: session.account, madeBy: latest) }
        guard session.binding == .deviceKey, let device = session.device else { return false }
        return try await isKey(of: device, session.account, setUpBy: latest)
    }

    /// Whether what was made then has cooled off.
    static func isOver(since madeAt: Instant, at now: Instant) -> Bool { madeAt <= now - period }

    private func isPasskey(_ id: PasskeyID, of account: AccountID, madeBy latest: Instant) async throws -> Bool {
        guard let own = try await passkeys(account).first(where: { $0.id == id }) else { return false }
        return own.madeAt <= latest
    }

    private func isKey(of device: DeviceID, _ account: AccountID, setUpBy latest: Instant) async throws -> Bool {
        guard let setUpAt = try await keySetUpAt(device, account) else { return false }
        return setUpAt <= latest
    }

    /// Goes on for such a session alone.
    ///
    /// - Throws: ``APIError/stepUpRequired`` where it began with less; ``StoreError``.
    func requireBeyondPassword(_ who: SignedIn) async throws {
        guard try await isBeyondPassword(who) else { throw APIError.stepUpRequired }
    }

    /// Goes on for a session that may take that passkey of the account away: its own, or that of a session that began
    /// with more than a password.
    ///
    /// - Throws: ``APIError/passkeyNotFound`` if it is not the account's; ``APIError/stepUpRequired``; ``StoreError``.
    func requireRemoval(of passkey: PasskeyID, _ who: SignedIn) async throws {
        let owned = try await passkeys(who.account)
        guard owned.contains(where: { $0.id == passkey }) else { throw APIError.passkeyNotFound }
        guard passkey != who.passkey else { return }
        try await requireBeyondPassword(who)
    }

    /// Goes on for a session that may give an account its first address, from which all its passkeys can be removed: by
    /// the passkey that it has had longest, where it has any, or by more than a password.
    ///
    /// Nobody else makes the oldest one: to remove those before it takes as much.
    /// - Throws: ``APIError/stepUpRequired``; ``StoreError``.
    func requireOwner(_ who: SignedIn) async throws {
        guard let oldest = try await passkeys(who.account).first, oldest.id != who.passkey else { return }
        try await requireBeyondPassword(who)
    }
}
