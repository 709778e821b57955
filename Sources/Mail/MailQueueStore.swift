package import Kernel

/// Port: where the queue is kept.
package protocol MailQueueStore: Sendable {
    func insert(_ mail: QueuedMail, in transaction: borrowing Transaction) throws

    /// Returns how many mails there are in each state; a state without any may be absent.
    func counts(in transaction: borrowing Transaction) throws -> [QueuedMail.State: Int]

    /// Takes queued mails that are due, the longest due first, and puts them off to the lease's end. Nobody else takes
    /// them until then.
    ///
    /// They come back as they were before.
    func claim(
        _ lease: DeliveryLease,
        limit: Int,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedMail]

    /// Returns when the next queued mail is due; `nil` while there is none.
    func nextDue(in transaction: borrowing Transaction) throws -> Instant?

    /// Deletes a mail that was delivered or is pointless; `false` if the lease was lost.
    func remove(_ id: MailID, lease: DeliveryLease, in transaction: borrowing Transaction) throws -> Bool

    /// Puts a mail off after a failure, which counts as an attempt; `false` if the lease was lost.
    func putOff(
        _ id: MailID,
        to due: Instant,
        failure: MailTransportError.Kind,
        reply: Int?,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Ends a mail that was refused for good, and erases what it says; `false` if the lease was lost.
    func bounce(
        _ id: MailID,
        at now: Instant,
        failure: MailTransportError.Kind,
        reply: Int?,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Makes every queued mail due that nobody is delivering; returns how many are.
    func expedite(at now: Instant, in transaction: borrowing Transaction) throws -> Int

    func find(_ id: MailID) async throws -> QueuedMail?

    /// Returns the newest first.
    func list(_ states: Set<QueuedMail.State>, limit: Int) async throws -> [QueuedMail]
}
