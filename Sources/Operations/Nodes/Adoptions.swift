import Kernel
import Logging
import Synchronization

/// The stopped daemons whose operations this one has read, or still has to.
final class Adoptions: Sendable {
    /// How long until the operations of a stopped daemon are read again, at first.
    ///
    /// A daemon that was paused may write one more before it notices that it was taken over. Each time is twice as long
    /// as the one before, up to ``longestAgain``.
    static let again: Duration = .seconds(5)
    private static let longestAgain: Duration = .seconds(40)
    /// The pause after a reading that failed.
    static let pause: Duration = .milliseconds(500)

    private struct State {
        /// When the operations of each daemon are read next.
        var due: [NodeName: Uptime] = [:]
        /// How often those of each daemon were read.
        var reads: [NodeName: Int] = [:]
        var isInProgress = false
    }

    private let state = Mutex(State())

    /// Whether the operations of one of the daemons have to be read now.
    func hasDue(of nodes: Set<NodeName>, at now: Uptime) -> Bool {
        state.withLock { state in
            // A name that is adopted again later is a new one.
            if nodes.isEmpty, !state.isInProgress { (state.due, state.reads) = ([:], [:]) }
            return !state.isInProgress && nodes.contains { state.due[$0].map { $0 <= now } ?? true }
        }
    }

    /// The daemons whose operations have to be read now, and those of them that were not read before.
    struct Turn: Sendable {
        let nodes: Set<NodeName>
        let new: Set<NodeName>
    }

    /// Takes the next turn; the caller then calls ``done(_:isRead:at:)``.
    func take(of nodes: Set<NodeName>, at now: Uptime) -> Turn? {
        state.withLock { state in
            guard !state.isInProgress else { return nil }
            state.due = state.due.filter { nodes.contains($0.key) }
            state.reads = state.reads.filter { nodes.contains($0.key) }
            let due = nodes.filter { state.due[$0].map { $0 <= now } ?? true }
            guard !due.isEmpty else { return nil }
            state.isInProgress = true
            return Turn(nodes: due, new: due.filter { state.reads[$0] == nil })
        }
    }

    /// `isRead`: Whether the operations were read, and are not only to be read again.
    func done(_ turn: Turn, isRead: Bool, at now: Uptime) {
        state.withLock { state in
            for node in turn.nodes {
                let count = state.reads[node, default: 0]
                let again = min(Self.again * (1 << min(count, 10)), Self.longestAgain)
                state.due[node] = now + (isRead ? again : Self.pause)
                if isRead { state.reads[node] = count + 1 }
            }
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
    /// Those that are in the cache already are left as they are, unless another daemon followed them so far.
    func readAdopted() async {
        guard let turn = watch.adoptions.take(of: adopted, at: environment.clock.now) else { return }
        let names = turn.nodes.map(\.text).sorted().joined(separator: ", ")
        do {
            let count = try await adopt(of: turn.nodes) { operation in
                turn.new.contains(operation.version.writer) || isBehind(operation)
            }
            watch.adoptions.done(turn, isRead: true, at: environment.clock.now)
            guard count > 0 else { return }
            reports.logger.notice(
                "operations of stopped daemons were taken over",
                metadata: ["nodes": "\(names)", "count": "\(count)"]
            )
        } catch {
            watch.adoptions.done(turn, isRead: false, at: environment.clock.now)
            reports.logger.warning(
                "operations of stopped daemons could not be read: they are read again soon",
                metadata: ["nodes": "\(names)", "cause": "\(error)"]
            )
        }
    }

    /// Whether the cache has an older version of the operation, or none.
    private func isBehind(_ operation: Operation) -> Bool {
        cache.card(operation.credentials.publicID).map { $0.operation.seq < operation.seq } ?? true
    }
}
