import Glibc
package import Logging
package import NIOCore
import Synchronization

/// The number of connections, in all and by address: a single address may not have all of them.
///
/// An IPv6 address counts as its /64, which a single host is given whole (RFC 6177). Trusted proxies speak for many
/// people, so their connections are not bounded. OWASP, Denial of Service Cheat Sheet: "limit the number of connections
/// by a single source".
package final class ConnectionCounts: Sendable {
    package struct Totals: Sendable, Equatable {
        package var open = 0
        package var accepted = 0
        /// Connections that were closed at once, because their address had as many as it may.
        package var refused = 0
        /// The number of times that accepting paused because the system had no more files.
        package var pauses = 0
    }

    private struct State {
        var totals = Totals()
        var byAddress: [NetworkAddress: Int] = [:]
        var listener: (any Channel)?
    }

    private let most: Int?
    private let trusted: ClientAddresses
    private let logger: Logger
    private let spares: SpareFiles
    private let state = Mutex(State())

    /// - Parameters:
    ///   - most: The most connections of one address; `nil` bounds none.
    ///   - trusted: The proxies whose connections are not bounded.
    ///   - spares: Files that are given up when no more can be opened.
    ///   - logger: Logs the addresses whose connections are refused.
    package init(most: Int?, trusted: ClientAddresses, spares: SpareFiles, logger: Logger) {
        self.most = most
        self.trusted = trusted
        self.spares = spares
        self.logger = logger
    }

    package var totals: Totals { state.withLock(\.totals) }

    /// Adds the gate to the pipeline of a listening channel, once it runs.
    package func watch(_ channel: any Channel) async throws {
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(ConnectionGate(self), position: .first)
        }.get()
        state.withLock { $0.listener = channel }
    }

    /// Detects that files run short while no connection arrives.
    ///
    /// A limit may be lowered at run time (prlimit(1)), and the process then ends at the next file it opens by itself
    /// (``SpareFiles``).
    package func checkFiles() {
        guard spares.areShort() else { return }
        spares.release()
        guard let listener = state.withLock(\.listener) else { return }
        listener.pipeline.fireUserInboundEventTriggered(ConnectionGate.FilesAreShort())
    }

    /// Counts a connection from an address.
    ///
    /// - Returns: Whether it may stay; ``release(_:)`` gives one that may back.
    func admit(_ socket: SocketAddress?) -> Bool {
        let address = NetworkAddress(socket).flatMap { trusted.isTrusted($0) ? nil : $0.counted }
        let isAdmitted = state.withLock { state in
            if let address, let most {
                guard state.byAddress[address, default: 0] < most else {
                    state.totals.refused += 1
                    return false
                }
                state.byAddress[address, default: 0] += 1
            }
            state.totals.open += 1
            state.totals.accepted += 1
            return true
        }
        if !isAdmitted, let address {
            logger.warning(
                "a connection was closed: its address has as many as listen.maxConnectionsPerAddress allows",
                metadata: ["address": "\(address)", "most": "\(most ?? 0)"]
            )
        }
        return isAdmitted
    }

    func release(_ socket: SocketAddress?) {
        let address = NetworkAddress(socket).flatMap { trusted.isTrusted($0) ? nil : $0.counted }
        state.withLock { state in
            state.totals.open -= 1
            guard let address, most != nil, let count = state.byAddress[address] else { return }
            state.byAddress[address] = count > 1 ? count - 1 : nil
        }
    }

    /// Gives up the spare files, for code that can't do without: no file is left for a connection.
    func paused(_ cause: String) {
        spares.release()
        state.withLock { $0.totals.pauses += 1 }
        logger.error(
            "no connections are accepted for now: raise the limit of open files, or lower listen.maxConnections",
            metadata: ["cause": "\(cause)"]
        )
    }

    /// Returns whether files are available again, for connections too.
    func resumes() -> Bool {
        guard spares.take() else { return false }
        logger.notice("connections are accepted again")
        return true
    }
}

/// The first handler where connections are accepted.
///
/// A connection that may not stay costs nothing more, and none is accepted while the system has no files.
final class ConnectionGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    /// The event of a check that found files running short, ahead of an accept that fails.
    struct FilesAreShort: Sendable {}

    /// The time until the next check whether files are available again.
    static let pause = TimeAmount.seconds(1)

    private let counts: ConnectionCounts
    private var isPaused = false
    private var isWanted = false

    init(_ counts: ConnectionCounts) { self.counts = counts }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let connection = unwrapInboundIn(data)
        let address = connection.remoteAddress
        guard counts.admit(address) else { return connection.close(promise: nil) }
        connection.closeFuture.whenComplete { [counts] _ in counts.release(address) }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if isPaused { isWanted = true } else { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, error.isFileShortage { pause(context, "\(error)") }
        context.fireErrorCaught(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is FilesAreShort else { return context.fireUserInboundEventTriggered(event) }
        pause(context, "fewer than \(SpareFiles.count) files are left: was the limit lowered?")
    }

    private func pause(_ context: ChannelHandlerContext, _ cause: String) {
        guard !isPaused else { return }
        isPaused = true
        counts.paused(cause)
        wait(context)
    }

    private func wait(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            guard context.channel.isActive else { return }
            guard self.counts.resumes() else { return self.wait(context) }
            self.isPaused = false
            guard self.isWanted else { return }
            self.isWanted = false
            context.read()
        }
    }
}

extension IOError {
    /// Whether accept(2) says that there are no more files, of this process or of the system.
    fileprivate var isFileShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errnoCode) }
}
