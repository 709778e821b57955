package import Kernel
package import OAuth

/// The administration of notices to clients: of decided backchannel requests, and of sessions that ended.
package struct NoticeAdministration: Sendable {
    private let requests: NoticeQueue
    private let logouts: NoticeQueue
    private let unitOfWork: any UnitOfWork

    package init(requests: NoticeQueue, logouts: NoticeQueue, unitOfWork: any UnitOfWork) {
        self.requests = requests
        self.logouts = logouts
        self.unitOfWork = unitOfWork
    }

    /// Returns the notices that wait, the next due first; those of one client, if one is named.
    func waiting(for client: String?, after place: NoticePlace?, limit: Int) async throws -> [WaitingNotice] {
        let requests = try await self.requests.waiting(
            for: client,
            after: place?.position(.ciba),
            limit: limit,
            unitOfWork
        )
        let sessions = try await logouts.waiting(
            for: client,
            after: place?.position(.logout),
            limit: limit,
            unitOfWork
        )
        // Each store's own order stays, by which the next page begins.
        let all = (requests + sessions).enumerated().sorted { left, right in
            (left.element.dueAt, left.element.kind.rawValue, left.offset)
                < (right.element.dueAt, right.element.kind.rawValue, right.offset)
        }
        return all.prefix(limit).map(\.element)
    }

    /// Returns the two queues with their age.
    package func queues(at now: Instant) async throws -> [QueueView] {
        let requests = try await self.requests.state(upTo: QueueView.mostCounted + 1, unitOfWork)
        let sessions = try await logouts.state(upTo: QueueView.mostCounted + 1, unitOfWork)
        return [("CIBA notices", requests), ("logout notices", sessions)].map { name, state in
            QueueView(
                name: name,
                count: state.waiting,
                oldestSeconds: state.oldest.map { max(0, (now - $0).components.seconds) }
            )
        }
    }

    /// Makes all notices due now that nobody is delivering, and returns their number.
    func expedite(at now: Instant) async throws -> Int {
        try await requests.expedite(at: now, unitOfWork) + logouts.expedite(at: now, unitOfWork)
    }
}
