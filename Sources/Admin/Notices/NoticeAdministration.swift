package import Kernel
package import OAuth

/// The administration of notices to clients: of decided backchannel requests, and of sessions that ended.
package struct NoticeAdministration: Sendable {
    private let backchannel: BackchannelService
    private let logouts: LogoutNotices
    private let unitOfWork: any UnitOfWork

    package init(backchannel: BackchannelService, logouts: LogoutNotices, unitOfWork: any UnitOfWork) {
        self.backchannel = backchannel
        self.logouts = logouts
        self.unitOfWork = unitOfWork
    }

    /// Returns the notices that wait, the next due first; those of one client, if one is named.
    func waiting(for client: String?, limit: Int) async throws -> [WaitingNotice] {
        let requests = try await backchannel.waiting(for: client, limit: limit, unitOfWork)
        let sessions = try await logouts.waiting(for: client, limit: limit, unitOfWork)
        let all = (requests + sessions).sorted {
            ($0.dueAt, $0.kind.rawValue, $0.subject) < ($1.dueAt, $1.kind.rawValue, $1.subject)
        }
        return Array(all.prefix(limit))
    }

    /// Returns the two queues with their age.
    package func queues(at now: Instant) async throws -> [QueueView] {
        let requests = try await backchannel.noticeState(unitOfWork)
        let sessions = try await logouts.noticeState(unitOfWork)
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
        let requests = try await backchannel.expedite(at: now, unitOfWork)
        return requests + (try await logouts.expedite(at: now, unitOfWork))
    }
}
