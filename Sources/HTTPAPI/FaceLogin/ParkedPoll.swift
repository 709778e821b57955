import Kernel
import Operations
import Synchronization

/// The limits' decision on a poll that was intercepted.
enum PollAdmission: Sendable {
    case admitted
    /// The poll was admitted, but did not wait, because the login was not in the cache.
    case unread
    /// The poll has waited, and its client left meanwhile.
    case deserted
    /// The case is indirect because every request reserves room for this enum.
    indirect case refused(APIError)
}

/// A poll that waits until its caller's view changes, its time has passed, or the daemon drains.
///
/// Thousands of polls wait at a time, each for up to 30 seconds. An asynchronous function keeps its variables on its
/// stack while it waits, so ``park()`` has next to none. This object holds the state, and the work between two waits is
/// done by functions that return before the next wait.
final class ParkedPoll: Sendable {
    private let service: OperationService
    private let clock: any MonotonicClock
    private let drain: DrainSwitch
    private let publicID: Digest256
    private let caller: Caller
    /// The version that the caller has already received.
    private let seen: Int64
    private let deadline: Uptime
    private let presence = Mutex<ClientPresence?>(nil)

    /// Prepares the wait; `nil` unless the operation is pending.
    ///
    /// `seconds`: The longest time that the caller wants to wait.
    ///
    /// `untilDecided`: Whether a new hint leaves the poll waiting, because the caller gets no hints.
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
        // A pending view expires at its own time, whatever happens to the operation.
        deadline = clock.now + min(.seconds(seconds), timeLeft)
    }

    /// Waits, until the client leaves at the latest.
    ///
    /// An unproven caller must not notice changes that it may not see: after such a change the poll waits again.
    func park(_ context: APIContext) async {
        await findPresence(context)
        await park()
    }

    /// Waits even if the client leaves, for results that a client which missed the answer can get again.
    func park() async {
        while let turn = turn() {
            guard await service.cache.wait(turn) else { return }
        }
    }

    /// Whether the client left while the poll waited.
    var isDeserted: Bool { presence.withLock { $0?.hasLeft == true } }

    @inline(never)
    private func findPresence(_ context: APIContext) async {
        let found = await context.presence()
        presence.withLock { $0 = found }
    }

    /// Returns the next wait; `nil` once something has changed for the caller, or the wait has to end.
    @inline(never)
    private func turn() -> WaitingTurn? {
        // The version is read before the view: a change between the two reads ends the wait for this version at once.
        guard !drain.isDraining, clock.now < deadline, !Task.isCancelled, !isDeserted,
            let cached = service.cache.card(publicID),
            isUnchanged()
        else { return nil }
        return service.turn(cached.operation, until: deadline, as: caller, at: presence.withLock(\.self))
    }

    private func isUnchanged() -> Bool {
        guard let now = service.peek(publicID, caller), case .pending = now else { return false }
        // The version falls when another browser's cookie binds the login: the caller must not notice that either.
        return now.seq <= seen
    }
}
