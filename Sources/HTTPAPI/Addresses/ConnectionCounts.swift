import Glibc
import Kernel
package import Logging
package import NIOCore
import Synchronization

/// Counts the connections, in total and by address, so that a single address cannot use all of them.
///
/// An IPv6 address is counted by its /64, all of which a single host is given (RFC 6177). Trusted proxies serve many
/// people, so that their connections are not limited. OWASP, Denial of Service Cheat Sheet: "limit the number of
/// connections by a single source".
package final class ConnectionCounts: Sendable {
    package struct Totals: Sendable, Equatable {
        package var open = 0
        package var accepted = 0
        /// The connections that were closed at once, because their address had reached its limit.
        package var refused = 0
        /// The number of times that accepting paused because no more files could be opened.
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
    ///   - most: The most connections of one address; `nil` for no limit.
    ///   - trusted: The proxies whose connections are not limited.
    ///   - spares: The files that are closed when no more can be opened.
    ///   - logger: Logs the addresses whose connections are refused.
    package init(most: Int?, trusted: ClientAddresses, spares: SpareFiles, logger: Logger) {
        self.most = most
        self.trusted = trusted
        self.spares = spares
        self.logger = logger
    }

    package var totals: Totals { state.withLock(\.totals) }

    /// Adds the gate to the pipeline of a listening channel that is already running.
    package func watch(_ channel: any Channel) async throws {
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(ConnectionGate(self), position: .first)
        }.get()
        state.withLock { $0.listener = channel }
    }

    /// Detects a shortage of files even if no connection arrives.
    ///
    /// The limit of open files may be lowered at run time (prlimit(1)). The process would then end at the next file
    /// that its runtime has to open (``SpareFiles``).
    package func checkFiles() {
        guard spares.areShort() else { return }
        spares.release()
        guard let listener = state.withLock(\.listener) else { return }
        listener.pipeline.fireUserInboundEventTriggered(ConnectionGate.FilesAreShort())
    }

    /// Counts a connection from an address.
    ///
    /// - Returns: Whether the connection may stay; it then has to be returned by ``release(_:)``.
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

    /// Closes the spare files for code that must be able to open some: no more can be opened for connections.
    func paused(_ cause: String) {
        spares.release()
        state.withLock { $0.totals.pauses += 1 }
        logger.error(
            "no connections are accepted for now: raise the limit of open files, or lower listen.maxConnections",
            metadata: ["cause": "\(cause)"]
        )
    }

    /// Returns whether enough files can be opened again to accept connections.
    func resumes() -> Bool {
        guard spares.take() else { return false }
        logger.notice("connections are accepted again")
        return true
    }
}

/// The first handler of the listening channel.
///
/// It closes a connection that may not stay before any other handler sees it, and accepts none while no files can be
/// opened.
final class ConnectionGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    /// Sent by a check that finds a shortage of files before accepting a connection fails.
    struct FilesAreShort: Sendable {}

    /// The time until the next check whether files can be opened again.
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
    /// Whether accept(2) reports that no more files can be opened, by this process or the system.
    fileprivate var isFileShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errnoCode) }
}
