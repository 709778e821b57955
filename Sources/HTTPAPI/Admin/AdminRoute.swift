package import Hummingbird
import Kernel
package import Logging
import NIOCore

/// The daemon's Unix socket: `POST /admin`, for this user and root alone.
package enum AdminRoute {
    package static let path = "/admin"
    /// The largest request: a batch of accounts.
    package static let bodyLimit = 16 * 1024 * 1024

    /// The responder of the admin socket.
    package static func router(_ administration: Administration, logger: Logger) -> Router<AdminContext> {
        let router = Router(context: AdminContext.self)
        router.post(RouterPath(path)) { request, context -> Response in
            guard await context.isPeerTrusted() else {
                return JSONReply.encode(
                    AdminReply.fault(code: "forbidden", message: "Only the daemon's own user and root may do this."),
                    status: .forbidden
                )
            }
            do {
                let order = try await JSONBody(limit: bodyLimit).decode(AdminRequest.self, from: request)
                return JSONReply.encode(try await administration.handle(order))
            } catch {
                logger.error("an administration request failed", metadata: ["cause": "\(error)"])
                let problem = Problem(error, bodyLimit: bodyLimit)
                return JSONReply.encode(
                    AdminReply.fault(code: problem.code, message: problem.message),
                    status: problem.status
                )
            }
        }
        return router
    }
}

/// A request on the admin socket, with the connection it came by.
package struct AdminContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The file mode keeps others out; the kernel's word on who connected is asked all the same.
    func isPeerTrusted() async -> Bool { await PeerCredential.isTrusted(channel) }
}
