package import Kernel

/// The failed tries at a secret of an account, and the time until which further tries are refused.
///
/// A try is counted before it is checked, so that concurrent tries count too. A success forgets all tries.
package struct Lockout: Sendable, Equatable {
    /// The number of tries without a delay.
    package static let freeTries = 5
    /// The delay after the last free try, which each further try doubles.
    package static let firstDelay: Duration = .seconds(30)
    /// The longest delay: endless guessing at an account makes its owner wait no longer than this.
    package static let longestDelay: Duration = .seconds(15 * 60)
    /// The time without a try after which all tries are forgotten.
    ///
    /// It is longer than any delay, and long enough that pausing gains an attacker no more tries than the delays allow.
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
        // After five doublings the delay exceeds the longest one.
        let doublings = min(tries - Self.freeTries, 5)
        return lastTriedAt + min(Self.firstDelay * (1 << doublings), Self.longestDelay)
    }

    /// The time at which the lockout is forgotten.
    package var forgottenAt: Instant { lastTriedAt + Self.memory }

    /// Returns the lockout after one more try.
    static func trying(after earlier: Lockout?, at now: Instant) throws(LockedOutError) -> Lockout {
        // A clock that was set far back must not lock the owner out until it reaches the old time again.
        guard let earlier, now < earlier.forgottenAt, earlier.lastTriedAt - now < memory else {
            return Lockout(tries: 1, lastTriedAt: now)
        }
        if let end = earlier.lockedUntil, now < end { throw LockedOutError(wait: end - now) }
        return Lockout(tries: min(earlier.tries, 1_000_000) + 1, lastTriedAt: now)
    }
}

/// Too many tries failed, and the secret was not checked.
package struct LockedOutError: Error, Equatable, Sendable {
    /// The time until the next try.
    package let wait: Duration

    package init(wait: Duration) { self.wait = wait }
}

/// The tries that are counted together.
package enum LockoutSubject: Sendable, Hashable {
    /// Tries at an account from unlinked devices, or at the placeholder of an unknown address
    /// (``EmailCodeFactory/placeholderAccount(for:)``).
    ///
    /// So a delay does not reveal whether an account exists.
    case unlinked(AccountID)
    /// Tries at an account from one of its own devices.
    ///
    /// Other callers can't add to them, so that they can't lock the owner out.
    case linked(AccountID, DeviceID)
    /// Tries at the codes that verify an address, typed by a person who is signed in to the account.
    ///
    /// They are counted apart from the password: wrong passwords add nothing to them, and a right code forgives no
    /// wrong password. They are counted over all sessions, so that another session brings no more tries.
    case addressCode(AccountID)

    /// Creates the subject of tries from that device; `nil` for a device that is not linked to the account.
    package init(_ account: AccountID, linked device: DeviceID?) {
        self = device.map { LockoutSubject.linked(account, $0) } ?? .unlinked(account)
    }

    /// Whether the tries come from a linked device of the account.
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
