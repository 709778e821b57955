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

extension OutboundError {
    /// Translates a library's error for the operator who has to fix it.
    ///
    /// The text names only the location of the request. It quotes only texts that can't hold another part of the
    /// request: the HTTP library's error for a bad header, for example, contains the header.
    init(_ error: any Error, to target: OutboundTarget) {
        let location = target.location
        switch error {
        case let failure as OutboundError: self = failure
        case is CancellationError: self = .cancelled
        case let error as HTTPClientError: self = Self.of(error, location)
        case let error as NIOConnectionError: self = .connect(cause: Self.cause(of: error, location))
        case ChannelError.connectTimeout: self = .connect(cause: Self.silence(of: location))
        case is SocketAddressError: self = .connect(cause: "the address is not valid")
        // The connection broke after the handshake: the server may have received the request.
        case NIOSSLError.uncleanShutdown: self = .transport(cause: "TLS: the connection broke off")
        case let error as NIOSSLError: self = .connect(cause: Self.cause(of: error, location))
        case is NIOSSLExtraError:
            self = .connect(cause: "TLS: the host's name and its certificate do not match (\(location))")
        case let error as IOError where Self.refusals.contains(error.errnoCode):
            self = .connect(cause: Self.cause(of: error, location))
        case let error as IOError: self = .transport(cause: Self.text(of: error))
        case HTTPParserError.invalidEOFState: self = .transport(cause: "the answer ended early")
        case is HTTPParserError: self = .transport(cause: "the answer is not HTTP")
        default: self = .transport(cause: "\(type(of: error))")
        }
    }

    /// The errors of connecting to a Unix domain socket (connect(2)).
    private static let refusals: Set<CInt> = [ENOENT, ECONNREFUSED, EACCES, EPERM, ENOTSOCK, ENOTDIR, EPROTOTYPE]

    private static func of(_ error: HTTPClientError, _ location: String) -> OutboundError {
        switch error {
        case .cancelled, .alreadyShutdown: .cancelled
        case .deadlineExceeded, .getConnectionFromPoolTimeout, .readTimeout, .writeTimeout: .timeout
        case .connectTimeout: .connect(cause: silence(of: location))
        case .tlsHandshakeTimeout: .connect(cause: "\(location) does not answer in time (TLS handshake)")
        default: .transport(cause: error.shortDescription)
        }
    }

    private static func silence(of location: String) -> String { "\(location) does not answer in time" }

    /// Returns only the reason in BoringSSL's text: the rest names source files of the build machine.
    private static func cause(of error: NIOSSLError, _ location: String) -> String {
        let text = "\(error)"
        let reason =
            text.firstRange(of: "OPENSSL_internal:").map { mark in
                String(text[mark.upperBound...].prefix { $0 != " " && $0 != "]" })
            } ?? String(text.prefix { $0 != "(" })
        return switch reason {
        case "CERTIFICATE_VERIFY_FAILED": "TLS: the certificate of \(location) is not trusted (\(reason))"
        case "WRONG_VERSION_NUMBER": "TLS: \(location) does not support it (\(reason))"
        default: "TLS with \(location) failed (\(reason))"
        }
    }

    private static func cause(of error: NIOConnectionError, _ location: String) -> String {
        if let last = error.connectionErrors.last {
            return switch last.error {
            case let error as IOError: cause(of: error, location)
            case ChannelError.connectTimeout: silence(of: location)
            default: "\(type(of: last.error))"
            }
        }
        let isUnknown = error.dnsAError != nil || error.dnsAAAAError != nil
        return isUnknown ? "the host's name is unknown (\(location))" : "\(location) refuses"
    }

    private static func cause(of error: IOError, _ location: String) -> String {
        switch error.errnoCode {
        case ECONNREFUSED: "no program listens at \(location) (connection refused)"
        case ETIMEDOUT: silence(of: location)
        case EHOSTUNREACH, ENETUNREACH: "no route leads to \(location) (\(text(of: error)))"
        case ENOENT: "\(location) does not exist"
        default: "\(location): \(text(of: error))"
        }
    }

    /// Returns the system's text, because the library's text names its function calls.
    private static func text(of error: IOError) -> String { String(cString: strerror(error.errnoCode)) }
}
