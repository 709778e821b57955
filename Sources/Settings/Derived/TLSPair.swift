package import NIOSSL

/// A certificate chain and its private key, as read from PEM files.
package struct TLSPair: Sendable {
    package let chain: [NIOSSLCertificateSource]
    package let key: NIOSSLPrivateKeySource

    /// The reason why a certificate file and a key file do not fit together.
    package enum PairError: Error, Equatable {
        case noCertificate, noKey, strangers

        /// The key of the config that the error is about.
        package var setting: String { self == .noCertificate ? "tls.certificate" : "tls.key" }

        /// Returns a message with the files' names, without a full stop.
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
        // A key that does not belong to the certificate fails here, not at the first handshake.
        let configuration = TLSConfiguration.makeServerConfiguration(certificateChain: self.chain, privateKey: self.key)
        guard (try? NIOSSLContext(configuration: configuration)) != nil else { throw .strangers }
    }
}
