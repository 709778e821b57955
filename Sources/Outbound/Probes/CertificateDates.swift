package import Kernel
import NIOCore
import NIOPosix
import NIOSSL

/// The time in which a certificate is valid (RFC 5280 §4.1.2.5).
package struct CertificateDates: Sendable, Equatable {
    package let notBefore: Instant
    package let notAfter: Instant

    package init(notBefore: Instant, notAfter: Instant) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    private init(_ certificate: NIOSSLCertificate) {
        notBefore = Instant(seconds: Int64(certificate.notValidBefore))
        notAfter = Instant(seconds: Int64(certificate.notValidAfter))
    }

    /// Returns the dates of the first certificate in a PEM file, or `nil` when none can be read.
    package static func file(_ path: String) -> Self? {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(path) else { return nil }
        return chain.first.map { Self($0) }
    }

    /// Returns the dates of the certificate that a server presents, trusted or not, or `nil` when it presents none.
    ///
    /// The handshake is aborted at that point: nothing is sent.
    package static func server(_ host: String, port: Int, within limit: Duration) async -> Self? {
        guard let context = try? NIOSSLContext(configuration: .makeClientConfiguration()) else { return nil }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: Self?.self)
        let timer = loop.scheduleTask(in: .nanoseconds(limit.wholeNanoseconds)) { promise.succeed(nil) }
        // An IP address can't be a server name in TLS (RFC 6066 §3).
        let name = (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil
        let connection = ClientBootstrap(group: loop)
            .connectTimeout(.nanoseconds(limit.wholeNanoseconds))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(
                        context: context,
                        serverHostname: name,
                        customVerificationCallback: { chain, verdict in
                            promise.succeed(chain.first.map { Self($0) })
                            verdict.succeed(.failed)
                        }
                    )
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: host, port: port)
        connection.whenFailure { _ in promise.succeed(nil) }
        connection.whenSuccess { channel in channel.closeFuture.whenComplete { _ in promise.succeed(nil) } }
        let found = try? await promise.futureResult.get()
        timer.cancel()
        connection.whenSuccess { channel in channel.close(promise: nil) }
        return found ?? nil
    }
}
