package import Kernel

/// Port: is told of sessions that expired, in the unit of work that notes them.
package protocol SessionExpiryNotices: Sendable {
    /// Whether a client wants to be told when its sessions expire.
    func wantsExpiries(of client: String) -> Bool

    func note(_ expired: ExpiredSession, in transaction: borrowing Transaction) throws
}

/// Notes the sessions that expired since the last look, so that their clients are told (Back-Channel Logout 1.0 §2.5).
///
/// No request ends such a session, so that the housekeeping looks for them: by the expiry of their refresh tokens, from
/// where its last look ended. A sign-in or a refresh writes nothing for it. Pages are read outside of units of work, so
/// that no refresh conflicts with the read. Of a session's end a client is told once: each session has a mark, which a
/// revocation heeds.
package struct SessionExpiries: Sendable {
    /// The most tokens that are read at once.
    static let page = 200
    /// The most sessions that one unit of work notes: more reads in one unit would lock whole tables on PostgreSQL.
    static let unit = 50
    /// The time after which a session counts as expired for all daemons: their clocks differ by no more.
    package static let margin = DatabaseClock.tolerance * 2
    /// The time before the last look that is looked at again: a token may be stored some time after it was issued.
    static let overlap: Duration = .seconds(120)
    /// How far a look must have come before that is kept, if nobody has to be told.
    static let step: Duration = .seconds(30)

    private let store: any SessionExpiryStore
    private let notices: any SessionExpiryNotices
    private let unitOfWork: any UnitOfWork

    package init(store: any SessionExpiryStore, notices: any SessionExpiryNotices, unitOfWork: any UnitOfWork) {
        self.store = store
        self.notices = notices
        self.unitOfWork = unitOfWork
    }

    /// Notes the sessions that expired before `now`, a verified time (``SweepClock``), and returns their number.
    ///
    /// The first look of a database finds none: its end is where the next one begins.
    @discardableResult
    package func note(at now: Instant) async throws -> Int {
        let end = now - Self.margin
        let noted = try await unitOfWork.read { [store] in try store.expiriesNotedUntil(in: $0) }
        // A mark of a clock that was ahead hides nothing.
        let begin = min(noted ?? end, end)
        var position = ExpiryPosition(expiresAt: begin - (noted == nil ? .zero : Self.overlap))
        var (count, isEmpty) = (0, true)
        while !Task.isCancelled {
            let found = try await unitOfWork.read { [store, position] transaction in
                try store.expired(after: position, until: end, limit: Self.page, in: transaction)
            }
            count += try await note(found, end: end)
            isEmpty = isEmpty && found.isEmpty
            guard found.count == Self.page, let last = found.last else {
                if !isEmpty || noted == nil { try await keep(end, after: noted) }
                break
            }
            position = last.position
        }
        return count
    }

    /// Notes the sessions of one page, if any: most pages are replaced tokens alone, and write nothing.
    private func note(_ found: [ExpiredToken], end: Instant) async throws -> Int {
        // In the order of their ids, so that two daemons that do it at once wait for each other and don't deadlock.
        let sessions = Set(found.filter { notices.wantsExpiries(of: $0.client) }.compactMap(\.session))
            .sorted { $0.bits < $1.bits }
        var count = 0
        for start in stride(from: 0, to: sessions.count, by: Self.unit) {
            let part = sessions[start..<min(start + Self.unit, sessions.count)]
            count += try await unitOfWork.run { [store, notices] transaction in
                let expired = try part.compactMap { try store.noteExpiry(of: $0, by: end, in: transaction) }
                for session in expired { try notices.note(session, in: transaction) }
                return expired.count
            }
        }
        return count
    }

    /// Keeps the end of a look that is over, where the next one begins.
    private func keep(_ end: Instant, after noted: Instant?) async throws {
        if let noted, noted <= end, end - noted < Self.step { return }
        try await unitOfWork.run { [store] in try store.keepExpiriesNoted(until: end, in: $0) }
    }
}
