package import Kernel

/// Port: the queue of logout notices.
package protocol LogoutNoticeStore: WaitingNoticeStore {
    /// Adds notices, due now.
    func insert(_ notices: [LogoutNotice], in transaction: borrowing Transaction) throws

    /// Claims due notices within the limits of each client and of all clients, the longest due first.
    ///
    /// A claimed notice is postponed to the end of the lease, so that no other worker claims it earlier.
    func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedLogout]

    /// Returns the time at which the next notice is due; `nil` if the queue is empty.
    func nextDue(in transaction: borrowing Transaction) throws -> Instant?

    /// Deletes a notice that was delivered or given up; returns `false` if the lease was lost.
    func remove(_ session: SessionID, lease: DeliveryLease, in transaction: borrowing Transaction) throws -> Bool

    /// Postpones a notice after a failed attempt, and counts the attempt; returns `false` if the lease was lost.
    func putOff(
        _ session: SessionID,
        to due: Instant,
        failure: String,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Returns the state of one client's notices.
    func state(of client: String, in transaction: borrowing Transaction) throws -> NoticeQueueState
}
