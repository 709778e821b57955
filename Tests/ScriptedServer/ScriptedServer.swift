import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTP server that answers as a script says, well or badly, and remembers what it was asked.
package final class ScriptedServer: Sendable {
    package typealias Script = @Sendable (ScriptedRequest) -> ScriptedReply

    /// Where it listens.
    package enum Place: Sendable {
        /// 127.0.0.1, a free port.
        case loopback
        /// As `loopback`, with TLS and a certificate that nobody trusts.
        case loopbackTLS
        case unixSocket(String)
    }

    private let callLog: CallLog
    private let channel: any Channel
    private let scheme: String

    private init(_ channel: any Channel, _ callLog: CallLog, scheme: String) {
        self.channel = channel
        self.callLog = callLog
        self.scheme = scheme
    }

    /// Listens for the length of `body`.
    package static func run<Value: Sendable>(
        at place: Place = .loopback,
        _ script: @escaping Script,
        during body: (ScriptedServer) async throws -> Value
    ) async throws -> Value {
        let server = try await start(at: place, script)
        do {
            let value = try await body(server)
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Scheme, host and port.
    package var url: String { "\(scheme)://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// The requests so far, in order.
    package var requests: [ScriptedRequest] { callLog.requests.withLock { $0 } }

    /// How many connections were accepted so far.
    package var connections: Int { callLog.connections.withLock { $0 } }

    /// How many of the requests went to a path that ends so.
    package func count(_ method: String, endingIn suffix: String) -> Int {
        requests.count { $0.method == method && $0.path.hasSuffix(suffix) }
    }

    private static func start(at place: Place, _ script: @escaping Script) async throws -> ScriptedServer {
        let callLog = CallLog()
        let tls: NIOSSLContext? =
            switch place {
            case .loopback, .unixSocket: nil
            case .loopbackTLS: try UntrustedCertificate.context()
            }
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    callLog.connections.withLock { $0 += 1 }
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.addHandler(ScriptedConnection(script, callLog))
                }
            }
        switch place {
        case .loopback, .loopbackTLS:
            let channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
            return ScriptedServer(channel, callLog, scheme: tls == nil ? "http" : "https")
        case .unixSocket(let path):
            let channel = try await bootstrap.bind(unixDomainSocketPath: path).get()
            return ScriptedServer(channel, callLog, scheme: "unix")
        }
    }

    private func stop() async { try? await channel.close().get() }
}

/// The state that the connections of one server share.
final class CallLog: Sendable {
    let requests = Mutex<[ScriptedRequest]>([])
    let connections = Mutex(0)
}
