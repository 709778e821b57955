import Synchronization

/// A request's permission to send one mail to a mailbox, out of the mailbox's budget for all callers and accounts.
///
/// It is taken only when a mail is about to be sent, so that a request without a mail uses none of the budget. It is
/// taken once, even if the unit of work runs again.
package final class MailboxTurn: Sendable {
    private let take: @Sendable () -> Bool
    private let outcome = Mutex<Bool?>(nil)

    /// - Parameter take: Takes one mail of the mailbox's budget; `false` if the budget is used up.
    package init(_ take: @escaping @Sendable () -> Bool) { self.take = take }

    /// Takes the turn at the first call, and returns the same answer at each call.
    func isGranted() -> Bool {
        outcome.withLock { outcome in
            if let outcome { return outcome }
            let granted = take()
            outcome = granted
            return granted
        }
    }
}
