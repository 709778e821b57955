package import Kernel

/// Port: the table of queued mails.
package protocol MailQueueStore: Sendable {
    func insert(_ mail: QueuedMail, in transaction: borrowing Transaction) throws

    /// Returns the number of mails in each state, possibly without states that have none.
    func counts(in transaction: borrowing Transaction) throws -> [QueuedMail.State: Int]

    /// Returns the number of queued mails, counted up to `bound`.
    func queued(upTo bound: Int, in transaction: borrowing Transaction) throws -> Int

    /// Returns the time at which the oldest queued mail was queued; `nil` if none is.
    func oldest(in transaction: borrowing Transaction) throws -> Instant?

    /// Claims due mails, the longest due first, by setting their due time to the lease's end.
    ///
    /// No other worker claims them until then.
    ///
    /// The returned mails have their earlier due times.
    func claim(
        _ lease: DeliveryLease,
        limit: Int,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedMail]

    /// Returns when the next queued mail is due; `nil` while there is none.
    func nextDue(in transaction: borrowing Transaction) throws -> Instant?

    /// Deletes a mail that was delivered or has expired; returns `false` if the lease was lost.
    func remove(_ id: MailID, lease: DeliveryLease, in transaction: borrowing Transaction) throws -> Bool

    /// Postpones a mail after a failed attempt, and counts the attempt; returns `false` if the lease was lost.
    func putOff(
        _ id: MailID,
        to due: Instant,
        failure: MailTransportError.Kind,
        reply: Int?,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Marks a mail as bounced, and erases its text; returns `false` if the lease was lost.
    func bounce(
        _ id: MailID,
        at now: Instant,
        failure: MailTransportError.Kind,
        reply: Int?,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Makes every queued mail due that is not claimed; returns their number.
    func expedite(at now: Instant, in transaction: borrowing Transaction) throws -> Int

    func find(_ id: MailID) async throws -> QueuedMail?

    /// Returns the mails in those states, newest first.
    func list(_ states: Set<QueuedMail.State>, limit: Int) async throws -> [QueuedMail]
}
