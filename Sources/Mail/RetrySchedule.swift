import Kernel

/// When a mail is tried again: exponential backoff with full jitter, so that mails that failed together come back apart.
package struct RetrySchedule: Sendable, Equatable {
    /// The first delay at the most; each failure doubles it.
    package let base: Duration
    /// No delay is longer.
    package let cap: Duration
    /// The same for sign-in codes: somebody waits for one, and it is good for ten minutes from its making.
    package let capOfCodes: Duration
    /// After so many failures a mail is given up.
    package let maxAttempts: Int

    /// No two tries are closer.
    private static let least: Duration = .milliseconds(500)

    package init(
        base: Duration = .seconds(2),
        cap: Duration = .seconds(600),
        capOfCodes: Duration = .seconds(30),
        maxAttempts: Int = 1000
    ) {
        self.base = base
        self.cap = cap
        self.capOfCodes = min(cap, capOfCodes)
        self.maxAttempts = maxAttempts
    }

    /// The delay after that many failures of a mail of that kind; `jitter` in `0 ..< 1`.
    func delay(after failures: Int, of kind: MailKind, jitter: Double) -> Duration {
        let longest = kind == .signInCode ? capOfCodes : cap
        var bound = base
        var doublings = failures - 1
        while doublings > 0, bound < longest {
            bound = bound * 2
            doublings -= 1
        }
        return max(Self.least, min(bound, longest) * jitter)
    }
}
