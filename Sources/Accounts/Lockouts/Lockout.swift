package import Kernel

/// The failed tries at a secret of an account, and the time until which further tries are refused.
///
/// A try counts before it is checked, and a success forgets all, so that concurrent tries count as well.
package struct Lockout: Sendable, Equatable {
    /// So many tries are free.
    package static let freeTries = 5
    /// After the last of them; doubled by each further one.
    package static let firstDelay: Duration = .seconds(30)
    /// The longest delay: endless guessing at an account keeps its owner waiting no longer than that.
    package static let longestDelay: Duration = .seconds(15 * 60)
    /// The time without a try after which all are forgotten.
    ///
    /// It is longer than any delay, and so long that pausing gains an attacker no more tries than the delays leave.
    package static let memory: Duration = .seconds(3600)

    /// The tries since the last success.
    package let tries: Int
    package let lastTriedAt: Instant

    package init(tries: Int, lastTriedAt: Instant) {
        self.tries = tries
        self.lastTriedAt = lastTriedAt
    }

    /// The end of the delay; `nil` while tries are free.
    package var lockedUntil: Instant? {
        guard tries >= Self.freeTries else { return nil }
        // Doubled five times it is over the longest.
        let doublings = min(tries - Self.freeTries, 5)
        return lastTriedAt + min(Self.firstDelay * (1 << doublings), Self.longestDelay)
    }

    /// The time at which the lockout is forgotten.
    package var forgottenAt: Instant { lastTriedAt + Self.memory }

    /// Returns the lockout after one more try.
    static func trying(after earlier: Lockout?, at now: Instant) throws(LockedOutError) -> Lockout {
        // A clock that was set far back must not keep the owner out until that time comes again.
        guard let earlier, now < earlier.forgottenAt, earlier.lastTriedAt - now < memory else {
            return Lockout(tries: 1, lastTriedAt: now)
        }
        if let end = earlier.lockedUntil, now < end { throw LockedOutError(wait: end - now) }
        return Lockout(tries: min(earlier.tries, 1_000_000) + 1, lastTriedAt: now)
    }
}

/// Too many tries failed; the secret was not checked.
package struct LockedOutError: Error, Equatable, Sendable {
    /// Until the next try.
    package let wait: Duration

    package init(wait: Duration) { self.wait = wait }
}

/// The tries that are counted together.
package enum LockoutSubject: Sendable, Hashable {
    /// Tries at an account from unlinked devices, or at the placeholder of an unknown address
    /// (``EmailCodeFactory/placeholderAccount(for:)``).
    ///
    /// So waiting does not reveal whether an account exists.
    case unlinked(AccountID)
    /// Tries at an account from one of its own devices: other callers can't add to them, so that they can't lock the
    /// owner out.
    case linked(AccountID, DeviceID)
    /// Tries at the codes that verify an address, typed by a person who is signed in to the account.
    ///
    /// They count apart: guesses at the password add nothing to them, and a right code forgives no guess at the
    /// password. They count over all sessions, or a further session would bring further tries.
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

    /// The key of the row: SHA-256 of the subject's kind and ids.
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
