import Kernel
import Logging
import Synchronization

/// The stopped daemons whose operations this one has read, or still has to.
final class Adoptions: Sendable {
    /// How often a stopped daemon's operations are looked at again, until another daemon may have its name.
    ///
    /// A daemon that was paused may write one more before it notices that it was taken over. If it stands still again
    /// before it announces that one, nobody else can tell those who wait.
    package static let again: Duration = .seconds(3)
    /// The same for the name that this daemon itself has now: who had it before has stopped in order, or long ago.
    private static let ownAgain: Duration = .seconds(40)
    /// The pause after a reading that failed.
    static let pause: Duration = .milliseconds(500)

    private struct State {
        /// When the operations of each daemon are read next.
        var due: [NodeName: Uptime] = [:]
        /// Those whose operations were read.
        var known: Set<NodeName> = []
        var isInProgress = false
    }

    private let state = Mutex(State())

    /// Whether the operations of one of the daemons have to be read now.
    func hasDue(of nodes: Set<NodeName>, at now: Uptime) -> Bool {
        state.withLock { state in
            // A name that is adopted again later is a new one.
            if nodes.isEmpty, !state.isInProgress { (state.due, state.known) = ([:], []) }
            return !state.isInProgress && nodes.contains { state.due[$0].map { $0 <= now } ?? true }
        }
    }

    /// The daemons whose operations have to be read now, and those of them that were not read before.
    struct Turn: Sendable {
        let nodes: Set<NodeName>
        let new: Set<NodeName>
    }

    /// Takes the next turn; the caller then calls ``done(_:isRead:as:at:)``.
    func take(of nodes: Set<NodeName>, at now: Uptime) -> Turn? {
        state.withLock { state in
            guard !state.isInProgress else { return nil }
            state.due = state.due.filter { nodes.contains($0.key) }
            state.known.formIntersection(nodes)
            let due = nodes.filter { state.due[$0].map { $0 <= now } ?? true }
            guard !due.isEmpty else { return nil }
            state.isInProgress = true
            return Turn(nodes: due, new: due.subtracting(state.known))
        }
    }

    /// - Parameters:
    ///   - turn: What was taken.
    ///   - isRead: Whether the operations were read, and are not only to be read again.
    ///   - own: This daemon's name.
    ///   - now: The time of the end.
    func done(_ turn: Turn, isRead: Bool, as own: NodeName, at now: Uptime) {
        state.withLock { state in
            for node in turn.nodes {
                let again = node == own ? Self.ownAgain : Self.again
                state.due[node] = now + (isRead ? again : Self.pause)
            }
            if isRead { state.known.formUnion(turn.nodes) }
            state.isInProgress = false
        }
    }
}

extension OperationService {
    /// Whether operations of stopped daemons have to be read.
    var hasAdoptions: Bool { watch.adoptions.hasDue(of: adopted, at: environment.clock.now) }

    /// The stopped daemons that this one has taken over, and its own name if a stopped daemon had it before.
    private var adopted: Set<NodeName> {
        let nodes = ports.nodes
        guard nodes.isShared else { return [] }
        return nodes.node == watch.ownership.firstName ? nodes.adopted : nodes.adopted.union([nodes.node])
    }

    /// Reads the operations of stopped daemons that this one has taken over, and follows them.
    ///
    /// Later only those are read that such a daemon has written since.
    func readAdopted() async {
        guard let turn = watch.adoptions.take(of: adopted, at: environment.clock.now) else { return }
        let names = turn.nodes.map(\.text).sorted().joined(separator: ", ")
        let isRead: Bool
        do {
            var count = try await adopt(of: turn.new) { _ in true }
            count += try await followLate(of: turn.nodes.subtracting(turn.new))
            isRead = true
            if count > 0 {
                reports.logger.notice(
                    "operations of stopped daemons were taken over",
                    metadata: ["nodes": "\(names)", "count": "\(count)"]
                )
            }
        } catch {
            isRead = false
            reports.logger.warning(
                "operations of stopped daemons could not be read: they are read again soon",
                metadata: ["nodes": "\(names)", "cause": "\(error)"]
            )
        }
        watch.adoptions.done(turn, isRead: isRead, as: ports.nodes.node, at: environment.clock.now)
    }

    /// Follows what stopped daemons have written since their operations were read, and tells the other daemons of it.
    /// - Returns: The number of those operations.
    private func followLate(of nodes: Set<NodeName>) async throws -> Int {
        var count = 0
        for node in nodes.sorted(by: { $0.slot < $1.slot }) {
            var last: OperationRowID?
            var isMore = true
            while isMore {
                let page = try await ports.store.liveVersions(of: node, after: last, limit: Self.page)
                for version in page where isUnknown(version) { count += try await follow(late: version) ? 1 : 0 }
                (last, isMore) = (page.last?.row, page.count == Self.page)
            }
        }
        return count
    }

    /// Whether the cache has an older version of the operation, or none.
    private func isUnknown(_ version: StoredVersion) -> Bool {
        cache.card(version.publicID).map { $0.operation.seq < version.seq } ?? true
    }

    /// - Returns: `false` if the version is known meanwhile.
    private func follow(late version: StoredVersion) async throws -> Bool {
        guard let stored = try await ports.store.find(row: version.row), isUnknown(version) else { return false }
        let isKnown = cache.card(version.publicID) != nil
        try await adopt([stored])
        // Another daemon may have the version before, which this one did not know.
        if !isKnown { ports.feed.announce(.changed(publicID: version.publicID, seq: stored.seq)) }
        return true
    }
}
