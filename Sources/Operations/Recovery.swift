import Kernel

extension OperationDesk {
    /// Reads every live operation back from the store, and terminal ones that ended a while ago; follows them on.
    ///
    /// Runs before the daemon listens. Returns how many came back.
    package func recover() async throws -> Int { try await adopt { _ in true } }

    /// Takes in those of the store's operations that hold of `isWanted`.
    func adopt(where isWanted: (Operation) -> Bool) async throws -> Int {
        let now = clock.now
        var last: OperationRowID?
        var count = 0
        while true {
            let page = try await store.following(last, endedAfter: now - LiveBoard.terminalStay, limit: 1000)
            for stored in page where isWanted(stored) {
                let operation = stored.clamped(to: now)
                board.put(operation)
                // Nobody has polled this process yet, but whoever did before will in a moment: the first visit is soon,
                // spread over a cadence so that a restart is no herd at the provider.
                if case .pending = operation.state, operation.deadline > now {
                    schedule.plan(operation.publicID, at: facts.clock.now + schedule.cadence.hot * facts.unitInterval())
                } else {
                    follow(operation)
                }
            }
            count += page.count(where: isWanted)
            guard page.count == 1000, let end = page.last else { return count }
            last = end.id
        }
    }
}
