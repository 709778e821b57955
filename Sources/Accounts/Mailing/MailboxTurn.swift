import Synchronization

/// Whether a mailbox takes one mail more, for one request: of what it is to bear, whoever asks and for however many
/// accounts.
///
/// It is taken where a mail is about to go out and nowhere before, so that what gets no mail costs the mailbox nothing;
/// and once, for a unit of work may run again.
package final class MailboxTurn: Sendable {
    private let take: @Sendable () -> Bool
    private let outcome = Mutex<Bool?>(nil)

    /// `take`: takes one mail of the mailbox's budget; `false` if there is none left.
    package init(_ take: @escaping @Sendable () -> Bool) { self.take = take }

    /// Takes the turn; the same answer ever after.
    func isGranted() -> Bool {
        outcome.withLock { outcome in
            if let outcome { return outcome }
            let granted = take()
            outcome = granted
            return granted
        }
    }
}
