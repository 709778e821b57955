import Kernel
import Operations
import Synchronization

/// The limits' answer to a poll.
enum PollAdmission: Sendable {
    case admitted
    /// The poll waited, and its client has left meanwhile.
    case deserted
    /// The refusal is indirect: every request reserves room for one of these.
    indirect case refused(APIError)
}

/// A poll that waits until its caller's view changes, its time is up, or the daemon drains.
///
/// Thousands of them are alive at a time, each for up to half a minute. An asynchronous function keeps its variables on
/// its stack for all that while, so ``park()`` has next to none. Its state is stored here, once, and the work between
/// two waits is done in functions that have returned.
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

    /// Starts the wait; `nil` where there is nothing to wait for.
    ///
    /// `seconds`: The longest time that the caller wants to wait.
    ///
    /// `untilDecided`: Whether hints are ignored: the caller learns nothing but that it waits.
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
        // Every pending view ends at its own time, whatever has happened behind it.
        deadline = clock.now + min(.seconds(seconds), timeLeft)
    }

    /// Waits, as long as the client does.
    ///
    /// An unproven caller must not notice changes that it may not see, so a wake-up without news parks again.
    func park(_ context: APIContext) async {
        await findPresence(context)
        await park()
    }

    /// Waits until its time is up, whether its client does or not: for answers that a client that missed them gets
    /// again.
    func park() async {
        while let turn = turn() {
            guard await service.cache.wait(turn) else { return }
        }
    }

    /// Whether the client has left meanwhile.
    var isDeserted: Bool { presence.withLock { $0?.hasLeft == true } }

    @inline(never)
    private func findPresence(_ context: APIContext) async {
        let found = await context.presence()
        presence.withLock { $0 = found }
    }

    /// Returns the next turn, while nothing has changed for the caller.
    @inline(never)
    private func turn() -> WaitingTurn? {
        // The version is read before the view: a change in between ends the wait for it at once.
        guard !drain.isDraining, clock.now < deadline, !Task.isCancelled, !isDeserted,
            let cached = service.cache.card(publicID),
            isUnchanged()
        else { return nil }
        return service.turn(cached.operation, until: deadline, as: caller, at: presence.withLock(\.self))
    }

    private func isUnchanged() -> Bool {
        guard let now = service.peek(publicID, caller), case .pending = now else { return false }
        // The version falls when another's cookie binds the login meanwhile: the caller must not notice that either.
        return now.seq <= seen
    }
}
