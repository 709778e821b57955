import Kernel
import NIOCore
import NIOSSL
import Synchronization

/// The certificate and key of the public server, read again on request: handshakes from then on use the new ones.
final class TLSCertificates: Sendable {
    /// A pair that belongs together.
    private struct Pair: Sendable {
        let chain: [NIOSSLCertificateSource]
        let key: NIOSSLPrivateKeySource
    }

    private let settings: TLSSettings
    private let current: Mutex<Pair>

    init(_ settings: TLSSettings) throws {
        self.settings = settings
        current = Mutex(try Self.read(settings))
    }

    /// Reads the files again; a pair that can't be used leaves the old one in force.
    func reload() throws {
        let pair = try Self.read(settings)
        current.withLock { $0 = pair }
    }

    /// TLS 1.2 and 1.3 (RFC 9325 §3.1.1), with whatever pair is current at each handshake.
    var configuration: TLSConfiguration {
        let pair = current.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: pair.chain,
            privateKey: pair.key
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.sslContextCallback = { [self] _, promise in
            let pair = current.withLock { $0 }
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = pair.chain
            override.privateKey = pair.key
            promise.succeed(override)
        }
        return configuration
    }

    private static func read(_ settings: TLSSettings) throws -> Pair {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(settings.certificate)
            guard !chain.isEmpty else {
                throw Exit.storage(
                    "\(settings.certificate) holds no certificate. It takes a PEM chain, the server's first."
                )
            }
            let key = try NIOSSLPrivateKey(file: settings.key, format: .pem)
            let pair = Pair(chain: chain.map { .certificate($0) }, key: .privateKey(key))
            // A key that is not the certificate's fails here, not at the first handshake.
            _ = try NIOSSLContext(
                configuration: .makeServerConfiguration(certificateChain: pair.chain, privateKey: pair.key)
            )
            return pair
        } catch let exit as Exit {
            throw exit
        } catch {
            throw Exit.storage(
                "The TLS pair \(settings.certificate) and \(settings.key) can't be used: \(error). Both are PEM, "
                    + "readable by this user, and belong together."
            )
        }
    }
}
