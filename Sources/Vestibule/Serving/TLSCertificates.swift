import FoundationEssentials
import Kernel
import NIOCore
import NIOSSL
import Settings
import Synchronization

/// The certificate and key of the public server: after a reload, new handshakes use the new files.
final class TLSCertificates: Sendable {
    private let settings: TLSSettings
    private let current: Mutex<TLSPair>

    init(_ settings: TLSSettings) throws {
        self.settings = settings
        current = Mutex(try Self.read(settings))
    }

    /// Reads the files again: if they can't be used, the current pair stays in use.
    func reload() throws {
        let pair = try Self.read(settings)
        current.withLock { $0 = pair }
    }

    /// TLS 1.2 and 1.3 (RFC 9325 §3.1.1), with the pair that is current at each handshake.
    var configuration: TLSConfiguration {
        let pair = current.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: pair.chain, privateKey: pair.key)
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

    private static func read(_ settings: TLSSettings) throws -> TLSPair {
        let (certificate, key) = (try bytes(of: settings.certificate), try bytes(of: settings.key))
        do throws(TLSPair.PairError) { return try TLSPair(certificate: certificate, key: key) } catch {
            throw ExitError.storage("\(error.setting): \(error.message(settings)).")
        }
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ExitError.storage("\(path) cannot be read by this user. Check its owner and its permissions.")
        }
        return Array(data)
    }
}
