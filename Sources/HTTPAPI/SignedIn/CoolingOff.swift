package import Kernel

/// Tells which sessions may replace what the owner signs in with: a proven address, or a face that is enrolled.
///
/// Whoever has learned the password alone may not. But a password is enough to give an account its first key or its first
/// face, of which the owner is told by mail at once; so neither counts for more than a password before ``period`` has
/// passed, in which the owner can act on that mail. A mailed code is proof of the address itself, and counts at once. A
/// passkey counts for no more than a password here: whoever made it can remove it again, and with it when it was made.
package struct CoolingOff: Sendable {
    /// From the set-up of a key or a face to the first sign-in by it that counts for more than a password.
    package static let period: Duration = .seconds(24 * 3600)

    private let keySetUpAt: @Sendable (DeviceID, AccountID) async throws -> Instant?
    private let wasFaceEnrolled: @Sendable (AccountID, _ after: Instant, _ until: Instant) async throws -> Bool

    /// `keySetUpAt`: when the account's device got the key that it has, `nil` where it has none; `wasFaceEnrolled`:
    /// whether the account may have got a face within that time.
    package init(
        keySetUpAt: @escaping @Sendable (DeviceID, AccountID) async throws -> Instant?,
        wasFaceEnrolled: @escaping @Sendable (AccountID, _ after: Instant, _ until: Instant) async throws -> Bool
    ) {
        self.keySetUpAt = keySetUpAt
        self.wasFaceEnrolled = wasFaceEnrolled
    }

    /// Whether the session began with more than a password: a mailed code, or a key of the device or a face that had
    /// cooled off by then.
    func isBeyondPassword(_ who: SignedIn) async throws -> Bool {
        if who.isMailboxProven { return true }
        let latest = who.authenticatedAt - Self.period
        // Of a key's session `face` is never said: that is a face which a provider has judged.
        if who.methods.contains("hwk") {
            guard who.isOfDeviceKey, let device = who.device, let setUpAt = try await keySetUpAt(device, who.account)
            else { return false }
            return setUpAt <= latest
        }
        guard who.methods.contains("face") else { return false }
        return try await !wasFaceEnrolled(who.account, latest, who.authenticatedAt)
    }

    /// Goes on for such a session alone.
    ///
    /// - Throws: ``Problem/stepUpRequired`` where it began with less; ``StoreFailure``.
    func requireBeyondPassword(_ who: SignedIn) async throws {
        guard try await isBeyondPassword(who) else { throw Problem.stepUpRequired }
    }
}
