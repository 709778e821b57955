package import NIOSSL

/// A certificate chain and the private key that belongs to it, as they are read from PEM.
package struct TLSPair: Sendable {
    package let chain: [NIOSSLCertificateSource]
    package let key: NIOSSLPrivateKeySource

    /// The reason why two files do not make a pair.
    package enum PairError: Error, Equatable {
        case noCertificate, noKey, strangers

        /// The key of the config that it is about.
        package var setting: String { self == .noCertificate ? "tls.certificate" : "tls.key" }

        /// A message with the files' names, without a full stop.
        package func message(_ settings: TLSSettings) -> String {
            switch self {
            case .noCertificate:
                "\(settings.certificate) holds no certificate. Write a PEM chain that begins with the server's certificate"
            case .noKey: "\(settings.key) holds no private key. Write one in PEM without a passphrase"
            case .strangers: "\(settings.key) is not the key of \(settings.certificate)"
            }
        }
    }

    package init(certificate: [UInt8], key: [UInt8]) throws(PairError) {
        guard !certificate.isEmpty, let found = try? NIOSSLCertificate.fromPEMBytes(certificate), !found.isEmpty else {
            throw .noCertificate
        }
        guard !key.isEmpty, let secret = try? NIOSSLPrivateKey(bytes: key, format: .pem) else { throw .noKey }
        self.chain = found.map { .certificate($0) }
        self.key = .privateKey(secret)
        // A key that is not the certificate's fails here, not at the first handshake.
        let configuration = TLSConfiguration.makeServerConfiguration(certificateChain: self.chain, privateKey: self.key)
        guard (try? NIOSSLContext(configuration: configuration)) != nil else { throw .strangers }
    }
}
