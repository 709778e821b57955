import Foundation
import Hummingbird
package import Logging
import MockServing
import NIOCore

/// Why the mock could not listen.
package enum ListenError: Error, Equatable, Sendable {
    case portTaken
    /// This machine does not have the address, or may not use the port; `cause` is the system's word for it.
    case impossible(cause: String)
}

/// Serves the mock until SIGTERM or SIGINT; calls `onListening` with the port once it listens.
///
/// - Throws: ``ListenError`` when the address can't be had.
package func serveAuthIDMock(
    backend: MockBackend,
    host: String,
    port: Int,
    logger: Logger,
    onNote: @escaping @Sendable (TimelineNote) -> Void = { _ in },
    onListening: @escaping @Sendable (Int) -> Void
) async throws {
    let application = makeAuthIDMock(
        backend: backend,
        host: host,
        port: port,
        logger: logger,
        onNote: onNote
    ) { channel in
        onListening(channel.localAddress?.port ?? port)
    }
    do {
        try await application.runService()
    } catch let error as IOError {
        throw ListenError(error)
    } catch let error as SocketAddressError.UnknownHost {
        throw ListenError.impossible(cause: "the name \(error.host) is unknown")
    }
}

extension ListenError {
    init(_ error: IOError) {
        switch POSIXErrorCode(rawValue: error.errnoCode) {
        case .EADDRINUSE: self = .portTaken
        case .EADDRNOTAVAIL: self = .impossible(cause: "this machine does not have that address")
        case .EACCES: self = .impossible(cause: "that port needs more rights")
        case .some(let code): self = .impossible(cause: "\(code)")
        case nil: self = .impossible(cause: error.description)
        }
    }
}
