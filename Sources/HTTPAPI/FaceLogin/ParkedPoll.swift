import Kernel
import Operations
import Synchronization

/// How the limits answered a poll.
enum PollAdmission: Sendable {
    case admitted
    /// It waited, and its client has gone away meanwhile.
    case deserted
    /// Indirect: every request has room for one of these.
    indirect case refused(APIError)
}

/// A poll that waits until what its caller sees is another version, its time is up, or the daemon drains.
///
/// Thousands of them are alive at a time, each for up to half a minute. What an asynchronous function has in its
/// variables it keeps on its stack for all that while, so that ``park()`` has next to none: its state is in here, once,
/// and what it does between two waits is done in functions that have returned.
final class ParkedPoll: Sendable {
    private let service: OperationService
    private let clock: any MonotonicClock
    private let drain: DrainSwitch
    private let publicID: Digest256
    private let caller: Caller
    /// The version that the caller has been told of.
    private let seen: Int64
    private let deadline: Uptime
    private let presence = Mutex<ClientPresence?>(nil)

    /// `nil` when there is nothing to wait for.
    ///
    /// `seconds` is how long the caller wants to wait; `untilDecided`: it is told nothing but that it waits, so that no hint
    /// wakes it.
    init?(
        service: OperationService,
        clock: any MonotonicClock,
        drain: DrainSwitch,
        publicID: Digest256,
        caller: Caller,
        seconds: Int,
        untilDecided: Bool = false
    ) {
        guard let before = service.peek(publicID, caller), case .pending(_, let seq, let timeLeft) = before else {
            return nil
        }
        self.service = service
        self.clock = clock
        self.drain = drain
        self.publicID = publicID
        self.caller = caller
        seen = untilDecided ? .max : seq
        // Every pending view ends with the time that it names, whatever has happened behind it.
        deadline = clock.now + min(.seconds(seconds), timeLeft)
    }

    /// Waits, as long as the client does.
    ///
    /// An unproven caller must not feel changes that it may not see, so a wake-up that shows nothing new parks again.
    func park(_ context: APIContext) async {
        await findPresence(context)
        await park()
    }

    /// Waits until its time is up, whether its client does or not: for answers that are given again to one that missed them.
    func park() async {
        while let turn = turn() {
            guard await service.cache.wait(turn) else { return }
        }
    }

    /// Whether the client has gone away meanwhile.
    var isDeserted: Bool { presence.withLock { $0?.hasLeft == true } }

    @inline(never)
    private func findPresence(_ context: APIContext) async {
        let found = await context.presence()
        presence.withLock { $0 = found }
    }

    /// The next turn, while nothing has changed for the caller.
    @inline(never)
    private func turn() -> WaitingTurn? {
        // The version is read before the look: a change in between ends the wait for it at once.
        guard !drain.isDraining, clock.now < deadline, !Task.isCancelled, !isDeserted,
            let cached = service.cache.card(publicID),
            isUnchanged()
        else { return nil }
        return service.turn(cached.operation, until: deadline, as: caller, at: presence.withLock(\.self))
    }

    private func isUnchanged() -> Bool {
        guard let now = service.peek(publicID, caller), case .pending = now else { return false }
        // It goes back for a caller whose login was bound to another's cookie meanwhile: nor is that to be felt.
        return now.seq <= seen
    }
}
