/// Work in rounds that only one of the daemons that share a database needs to do: the leader
/// (``Peers/isLeader``).
///
/// Two daemons may do it at the same time for a moment, so that each kind of work has to be right if it is done twice.
package struct LeaderRounds: Sendable {
    /// The time after which a daemon that is not the leader looks again whether it is.
    package static let look: Duration = .seconds(10)

    /// The time between two rounds.
    package let interval: Duration
    private let clock: any MonotonicClock
    private let nodes: any NodeMembership

    /// - Parameters:
    ///   - interval: The time between two rounds.
    ///   - clock: Times the pauses.
    ///   - nodes: Says whether this daemon is the leader.
    package init(every interval: Duration, clock: any MonotonicClock, nodes: any NodeMembership = SingleNode()) {
        self.interval = interval
        self.clock = clock
        self.nodes = nodes
    }

    /// Whether the work is this daemon's now.
    package var isMine: Bool { nodes.peers.isLeader }

    /// Does a round at each interval, until the task is cancelled.
    ///
    /// A daemon that becomes the leader begins within seconds, however long the interval is: the daemon that did the work
    /// before may have stopped long after its last round.
    package func run(_ round: () async -> Void) async {
        while !Task.isCancelled {
            let isMine = isMine
            if isMine { await round() }
            let pause = isMine ? interval : min(interval, Self.look)
            do { try await clock.sleep(until: clock.now + pause) } catch { return }
        }
    }
}
