package import Kernel

/// How often somebody has tried a secret of an account without success, and until when nothing more is tried.
///
/// A try counts before it is looked at, and a success forgets all: so tries that come at the same time count as well.
package struct Lockout: Sendable, Equatable {
    /// So many tries are free.
    package static let freeTries = 5
    /// After the last of them; doubled by each further one.
    package static let firstDelay: Duration = .seconds(30)
    /// No delay is longer: whoever guesses at an account for ever keeps its owner waiting no longer than that.
    package static let longestDelay: Duration = .seconds(15 * 60)
    /// After so long without a try all are forgotten.
    ///
    /// Longer than any delay, and so long that pausing gains nobody more tries than the delays leave him.
    package static let memory: Duration = .seconds(3600)

    /// Since the last success.
    package let tries: Int
    package let lastTriedAt: Instant

    package init(tries: Int, lastTriedAt: Instant) {
        self.tries = tries
        self.lastTriedAt = lastTriedAt
    }

    /// Until when nothing is tried; `nil` while tries are free.
    package var lockedUntil: Instant? {
        guard tries >= Self.freeTries else { return nil }
        // Doubled five times it is over the longest.
        let doublings = min(tries - Self.freeTries, 5)
        return lastTriedAt + min(Self.firstDelay * (1 << doublings), Self.longestDelay)
    }

    /// When nothing is left of it.
    package var forgottenAt: Instant { lastTriedAt + Self.memory }

    /// One more try, after those there were.
    ///
    /// - Throws: ``LockedOutError``, and nothing counts.
    static func trying(after earlier: Lockout?, at now: Instant) throws(LockedOutError) -> Lockout {
        // A clock that was set back far is no reason to keep somebody out until that time comes again.
        guard let earlier, now < earlier.forgottenAt, earlier.lastTriedAt - now < memory else {
            return Lockout(tries: 1, lastTriedAt: now)
        }
        if let end = earlier.lockedUntil, now < end { throw LockedOutError(wait: end - now) }
        return Lockout(tries: min(earlier.tries, 1_000_000) + 1, lastTriedAt: now)
    }
}

/// Too many tries without success; nothing was looked at.
package struct LockedOutError: Error, Equatable, Sendable {
    /// Until the next try.
    package let wait: Duration

    package init(wait: Duration) { self.wait = wait }
}

/// Whose tries are counted together.
package enum LockoutSubject: Sendable, Hashable {
    /// Those at an account from devices that are not linked to it; at an address that nobody has, those at its stand-in
    /// (``EmailCodeFactory/standIn(for:)``), so that waiting tells nobody who has an account.
    case unlinked(AccountID)
    /// Those at an account from one device of its own: no stranger can add to them, so that nobody locks an owner out.
    case linked(AccountID, DeviceID)
    /// Those at the codes that prove an address of an account, typed by somebody who is signed in to it: apart, so that
    /// strangers who guess at the password add nothing to them, and a right code forgives no guess at the password. In
    /// however many sessions, or a further session would bring further tries.
    case addressCode(AccountID)

    /// From that device, or from one that is not linked to the account.
    package init(_ account: AccountID, linked device: DeviceID?) {
        self = device.map { LockoutSubject.linked(account, $0) } ?? .unlinked(account)
    }

    /// Whether the tries come from a device of the account's own.
    var isLinked: Bool {
        switch self {
        case .unlinked, .addressCode: false
        case .linked: true
        }
    }

    /// What it is kept under: SHA-256 of its kind and ids.
    package var key: Digest256 {
        let text =
            switch self {
            case .unlinked(let account): "unlinked \(account)"
            case .linked(let account, let device): "linked \(account) \(device)"
            case .addressCode(let account): "address code \(account)"
            }
        return Digest256(sha256: text)
    }
}
