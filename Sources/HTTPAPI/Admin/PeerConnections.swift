package import NIOCore
import Synchronization

/// The open connections of the admin socket's readers, who never keep the operators out.
///
/// Root and the daemon's own user are not counted. All other users together get half of the connections, and each of
/// them half of those.
package final class PeerConnections: Sendable {
    private let own: UInt32
    private let mostOfAll: Int
    private let mostOfOne: Int
    private let open = Mutex<[UInt32: Int]>([:])

    /// - Parameters:
    ///   - most: The number of connections that the socket takes.
    ///   - own: The daemon's own user.
    package init(most: Int, own: UInt32) {
        self.own = own
        mostOfAll = max(1, most / 2)
        mostOfOne = max(1, most / 4)
    }

    /// Counts a connection of the user; returns `false` if it has to be closed.
    func enter(_ user: UInt32) -> Bool {
        guard counts(user) else { return true }
        return open.withLock { open in
            guard open[user, default: 0] < mostOfOne, open.values.reduce(0, +) < mostOfAll else { return false }
            open[user, default: 0] += 1
            return true
        }
    }

    /// Forgets a connection that was counted.
    func leave(_ user: UInt32) {
        guard counts(user) else { return }
        open.withLock { open in
            let left = open[user, default: 0] - 1
            open[user] = left > 0 ? left : nil
        }
    }

    private func counts(_ user: UInt32) -> Bool { user != 0 && user != own }
}

/// Closes a connection to the admin socket whose user has too many (``PeerConnections``).
package final class PeerConnectionGate: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny
    package typealias InboundOut = NIOAny

    /// The user of a peer that the kernel does not name.
    static let unknown = UInt32.max

    private let connections: PeerConnections
    private let user: (any Channel) -> EventLoopFuture<UInt32>?
    private var entered: UInt32?
    private var isOver = false

    /// `user`: Returns the user at the other end.
    init(_ connections: PeerConnections, user: @escaping (any Channel) -> EventLoopFuture<UInt32>?) {
        self.connections = connections
        self.user = user
    }

    package convenience init(_ connections: PeerConnections) { self.init(connections) { PeerCredential.user(of: $0) } }

    package func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { ask(context) } }

    package func handlerRemoved(context: ChannelHandlerContext) { leave() }

    package func channelActive(context: ChannelHandlerContext) {
        ask(context)
        context.fireChannelActive()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func ask(_ context: ChannelHandlerContext) {
        guard let asked = user(context.channel) else { return admit(Self.unknown, context) }
        asked.assumeIsolated().whenComplete { result in self.admit((try? result.get()) ?? Self.unknown, context) }
    }

    private func admit(_ user: UInt32, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        guard connections.enter(user) else { return context.close(promise: nil) }
        entered = user
    }

    private func leave() {
        isOver = true
        if let entered { connections.leave(entered) }
        entered = nil
    }
}
