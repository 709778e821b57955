package import Kernel

/// Port: what the queues of logout tokens and of CIBA notices share.
package protocol WaitingNoticeStore: Sendable {
    /// Returns the number of waiting notices, counted up to `bound`, and since when the oldest waits.
    func state(upTo bound: Int, in transaction: borrowing Transaction) throws -> NoticeQueueState

    /// Returns the notices that wait, the next due first, and of those due at one time the least subject first; those of
    /// one client, if one is named.
    ///
    /// `position`: Where the page begins; `nil` for the first one.
    func waiting(
        for client: String?,
        after position: NoticePosition?,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [WaitingNotice]

    /// Makes the notices due now that are not due and that nobody is delivering; returns their number.
    func expedite(at now: Instant, in transaction: borrowing Transaction) throws -> Int
}

/// A queue of notices to clients, as operators see and expedite it.
package struct NoticeQueue: Sendable {
    let store: any WaitingNoticeStore
    let signal: WorkSignal

    /// Returns the notices that wait, the next due first; those of one client, if one is named.
    package func waiting(
        for client: String?,
        after position: NoticePosition?,
        limit: Int,
        _ unitOfWork: any UnitOfWork
    ) async throws -> [WaitingNotice] {
        try await unitOfWork.read { [store] in try store.waiting(for: client, after: position, limit: limit, in: $0) }
    }

    /// Returns the number of waiting notices, counted up to a bound, and since when the oldest waits.
    package func state(upTo bound: Int, _ unitOfWork: any UnitOfWork) async throws -> NoticeQueueState {
        try await unitOfWork.read { [store] in try store.state(upTo: bound, in: $0) }
    }

    /// Makes the notices due now that nobody is delivering, and returns their number.
    package func expedite(at now: Instant, _ unitOfWork: any UnitOfWork) async throws -> Int {
        let count = try await unitOfWork.run { [store] in try store.expedite(at: now, in: $0) }
        signal.raise()
        return count
    }
}

extension LogoutNotices {
    package var noticeQueue: NoticeQueue { NoticeQueue(store: store, signal: signal) }
}

extension BackchannelService {
    package var noticeQueue: NoticeQueue { NoticeQueue(store: store, signal: signal) }
}
