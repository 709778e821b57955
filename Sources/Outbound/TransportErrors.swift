import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension OutboundFailure {
    /// What the libraries throw, in our words.
    ///
    /// Only texts that can't hold a part of the request are taken over: the HTTP library's error for a bad header, for
    /// one, carries the header.
    init(_ error: any Error) {
        switch error {
        case let failure as OutboundFailure: self = failure
        case is CancellationError: self = .cancelled
        case let error as HTTPClientError: self = Self.of(error)
        case let error as NIOConnectionError: self = .connect(cause: Self.cause(of: error))
        case ChannelError.connectTimeout: self = .connect(cause: "not in time")
        case is SocketAddressError: self = .connect(cause: "the address can't be used")
        // The connection broke off behind the handshake: the request may have been heard.
        case NIOSSLError.uncleanShutdown: self = .transport(cause: "TLS: the connection broke off")
        case let error as NIOSSLError: self = .connect(cause: "TLS: \(Self.cause(of: error))")
        case is NIOSSLExtraError: self = .connect(cause: "TLS: the host's name and its certificate do not fit")
        case let error as IOError where Self.refusals.contains(error.errnoCode): self = .connect(cause: "\(error)")
        case let error as IOError: self = .transport(cause: "\(error)")
        case HTTPParserError.invalidEOFState: self = .transport(cause: "the answer ended early")
        case is HTTPParserError: self = .transport(cause: "the answer is not HTTP")
        default: self = .transport(cause: "\(type(of: error))")
        }
    }

    /// What connecting to a Unix domain socket fails with (connect(2)).
    private static let refusals: Set<CInt> = [ENOENT, ECONNREFUSED, EACCES, EPERM, ENOTSOCK, ENOTDIR, EPROTOTYPE]

    private static func of(_ error: HTTPClientError) -> OutboundFailure {
        switch error {
        case .cancelled, .alreadyShutdown: .cancelled
        case .deadlineExceeded, .getConnectionFromPoolTimeout, .readTimeout, .writeTimeout: .timeout
        case .connectTimeout, .tlsHandshakeTimeout: .connect(cause: "not in time")
        default: .transport(cause: error.shortDescription)
        }
    }

    /// BoringSSL's reason (`CERTIFICATE_VERIFY_FAILED`); its whole text also names source files of the build machine.
    private static func cause(of error: NIOSSLError) -> String {
        let text = "\(error)"
        guard let mark = text.firstRange(of: "OPENSSL_internal:") else { return String(text.prefix { $0 != "(" }) }
        return String(text[mark.upperBound...].prefix { $0 != " " && $0 != "]" })
    }

    private static func cause(of error: NIOConnectionError) -> String {
        if let last = error.connectionErrors.last {
            return switch last.error {
            case let error as IOError: "\(error)"
            case ChannelError.connectTimeout: "not in time"
            default: "\(type(of: last.error))"
            }
        }
        return error.dnsAError == nil && error.dnsAAAAError == nil ? "refused" : "the host's name is not known"
    }
}
