import Kernel
import Logging

extension OperationService {
    /// Reads live and recently ended operations from the database into the cache, and follows them.
    ///
    /// It runs before the daemon listens.
    /// - Returns: The number of operations.
    package func recover() async throws -> Int { try await readBack { _ in true } }

    /// Reads all that this daemon has to follow, as far as it meets the condition.
    func readBack(where isWanted: (Operation) -> Bool) async throws -> Int {
        if ports.nodes.isShared { return try await adopt(of: watch.ownership.followed, where: isWanted) }
        let endedAfter = clock.now - OperationCache.terminalStay
        return try await adopt(where: isWanted) { last in
            try await ports.store.following(last, endedAfter: endedAfter, limit: Self.page)
        }
    }

    /// Puts the daemons' live operations that meet the condition in the cache, and follows them; returns their number.
    func adopt(of nodes: Set<NodeName>, where isWanted: (Operation) -> Bool) async throws -> Int {
        var count = 0
        for node in nodes.sorted(by: { $0.slot < $1.slot }) {
            count += try await adopt(where: isWanted) { last in
                try await ports.store.live(of: node, after: last, limit: Self.page)
            }
        }
        return count
    }

    static var page: Int { 1000 }

    /// `next`: Returns the page of operations after a row.
    private func adopt(
        where isWanted: (Operation) -> Bool,
        _ next: (OperationRowID?) async throws -> [Operation]
    ) async throws -> Int {
        var last: OperationRowID?
        var count = 0
        while true {
            let page = try await next(last)
            let wanted = page.filter(isWanted)
            try await adopt(wanted)
            count += wanted.count
            guard page.count == Self.page, let end = page.last else { return count }
            last = end.id
        }
    }

    /// Puts stored operations in the cache, and follows them.
    func adopt(_ operations: [Operation]) async throws {
        let doubled = try await claimScans(of: operations)
        for stored in operations { takeBack(stored) }
        for operation in operations where doubled.contains(operation.id) { try await endDoubled(operation) }
    }

    /// Puts a stored operation in the cache, and plans its first check.
    ///
    /// Other daemons are told of it where an older version is known here, since it may not have been announced.
    private func takeBack(_ stored: Operation) {
        let now = clock.now
        let operation = stored.clamped(to: now)
        let publicID = operation.credentials.publicID
        let known = cache.card(publicID)?.operation.seq
        cache.put(operation)
        if operation.credentials.isBound { cache.bind(publicID) }
        if let known, known < stored.seq { ports.feed.announce(.changed(publicID: publicID, seq: stored.seq)) }
        cache.noteReadBack(publicID, at: environment.clock.now, isForgotten: true)
        // No client has polled this process yet, but earlier ones will in a moment. So the first check is soon, spread
        // over an interval so that a restart does not flood the provider.
        if case .pending = operation.state, operation.validity.deadline > now {
            watch.schedule.plan(
                publicID,
                at: environment.clock.now + watch.schedule.cadence.hot * environment.unitInterval()
            )
        } else {
            follow(operation)
        }
    }

    /// Claims the scans of operations that began under versions without claims.
    /// - Returns: The operations whose scan another operation has claimed.
    private func claimScans(of operations: [Operation]) async throws -> Set<OperationRowID> {
        let scans = operations.compactMap { operation in
            operation.scan.map { (id: operation.id, key: OperationCache.key(of: $0, at: operation.provider)) }
        }
        guard !scans.isEmpty else { return [] }
        return try await ports.unitOfWork.run { [store = ports.store] transaction in
            var doubled: Set<OperationRowID> = []
            for scan in scans {
                if try store.claim(scan.key, for: scan.id, face: nil, in: transaction) { continue }
                if try store.claimant(of: scan.key, in: transaction) != scan.id { doubled.insert(scan.id) }
            }
            return doubled
        }
    }

    /// Ends an operation whose scan another operation has claimed.
    ///
    /// Otherwise one face would approve both.
    ///
    /// The scan continues for the other operation.
    private func endDoubled(_ stored: Operation) async throws {
        let operation = cache.card(stored.credentials.publicID)?.operation ?? stored
        reports.logger.error(
            "an operation was ended, because the provider gave it the scan of another one: tell the provider",
            metadata: operation.logged()
        )
        let event: OperationEvent
        if case .pending(let scan) = operation.state {
            event = .observed(.broken, of: scan.reference, at: operation.provider)
        } else {
            event = .cancelRequested
        }
        do { _ = try await transition(operation, event) } catch is OperationMachine.TransitionError {}
    }
}
