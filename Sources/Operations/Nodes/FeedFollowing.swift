package import Kernel
import Logging

// What other daemons announce.
extension OperationService {
    /// How often the daemon that follows an operation is told that a client waits for it here.
    static let toldEvery: Duration = .seconds(3)
    /// The time over which the operations are read again for which nobody waits.
    private static let gapSpread: Duration = .seconds(20)
    /// The pause after a reading that failed.
    private static let readAgainAfter: Duration = .milliseconds(500)
    /// How many operations are read at the same time.
    private static let concurrentReads = 16

    /// Follows what other daemons announce, until the task is cancelled.
    func followFeed() async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await event in ports.feed.events() {
                // The feed keeps what comes meanwhile, or tells a gap.
                if running >= Self.concurrentReads, await group.next() != nil { running -= 1 }
                // One gap after the other: each reads everything.
                if event == .gap {
                    await take(event)
                } else {
                    group.addTask { await self.take(event) }
                    running += 1
                }
            }
        }
    }

    /// Takes one event of the feed.
    ///
    /// Tests in virtual time call it themselves.
    package func take(_ event: FeedEvent) async {
        switch event {
        case .message(.changed(let publicID, let seq)):
            if let card = cache.card(publicID), card.operation.seq < seq { await readAgain(card.operation) }
        case .message(.bound(let publicID)): cache.bind(publicID)
        case .message(.waitedFor(let publicID)):
            // Here it counts like a poll of this daemon's own client.
            guard let card = cache.card(publicID), watch.ownership.includes(card.operation) else { break }
            attend(publicID)
            // Before its link is opened an operation looks like a decoy, of which nobody tells.
            if isDegraded(card), card.operation.state != .created { ports.feed.announce(.degraded(publicID: publicID)) }
        case .message(.degraded(let publicID)):
            guard let card = cache.card(publicID), !card.operation.state.isTerminal, card.operation.state != .created,
                !watch.ownership.includes(card.operation)
            else { break }
            cache.noteToldDegraded(publicID, at: environment.clock.now)
        case .message(.hinted(let scan)): _ = expedite(scan)
        case .message(.quieted(let key, let left)): quiet(key: key, for: .milliseconds(left))
        case .message(.missed):
            admission.quieted.ask()
            repeatPauses()
        case .message(.paused(let provider, let left)): takePause(of: provider, for: .milliseconds(left))
        case .message(.disowned(let row)): await quietInitiator(ofDisowned: OperationRowID(row))
        case .message(.revoked), .message(.clientsChanged), .message(.keysChanged), .message(.stopping): break
        case .gap: await readAllAgain()
        }
    }

    /// Tells the daemon that follows the operation that a client waits for it here.
    func tellOwner(_ operation: Operation, lastPoll: Uptime?, at now: Uptime) {
        // The first poll of each period tells.
        let period = Self.toldEvery.wholeNanoseconds
        guard lastPoll.map({ $0.nanoseconds / period != now.nanoseconds / period }) ?? true else { return }
        tellOwner(operation)
    }

    func tellOwner(_ operation: Operation) {
        guard ports.nodes.isShared, !operation.state.isTerminal, !watch.ownership.includes(operation) else { return }
        ports.feed.announce(.waitedFor(publicID: operation.credentials.publicID))
    }

    /// Reads a cached operation again, because another daemon has written it.
    ///
    /// An error is not told: the operation is read again soon, and for whoever asks for it before.
    func readAgain(_ operation: Operation) async {
        do {
            guard let stored = try await ports.store.find(row: operation.id) else { return }
            take(in: stored)
        } catch {
            let publicID = operation.credentials.publicID
            let due = environment.clock.now + Self.readAgainAfter
            cache.noteDoubt(publicID)
            watch.schedule.planIfNone(publicID, at: due)
            watch.schedule.expedite(publicID, to: due)
            reports.logger.debug(
                "an operation that another daemon wrote could not be read",
                metadata: operation.logged(["cause": "\(error)"])
            )
        }
    }

    /// Reads every operation again for which a client waits here, because messages were lost.
    ///
    /// The others are read again when somebody asks for them, or at their next check, which comes within
    /// ``gapSpread``.
    private func readAllAgain() async {
        guard ports.nodes.isShared else { return }
        cache.noteGap()
        // No row says who is kept quiet.
        ports.feed.announce(.missed)
        let now = environment.clock.now
        let live = cache.cards { !$0.state.isTerminal }
        let waitedFor = live.filter { card in
            let lastPoll = cache.lastPoll(card.operation.credentials.publicID, now: now)
            return lastPoll.map { now - $0 < watch.schedule.cadence.hotFor } ?? false
        }
        for card in live {
            watch.schedule.expedite(
                card.operation.credentials.publicID,
                to: now + Self.gapSpread * environment.unitInterval()
            )
        }
        await withTaskGroup(of: Void.self) { group in
            for (index, card) in waitedFor.enumerated() {
                if index >= Self.concurrentReads { await group.next() }
                group.addTask { await self.readAgain(card.operation) }
            }
        }
    }
}
