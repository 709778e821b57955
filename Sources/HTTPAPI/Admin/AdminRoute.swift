package import Admin
package import Hummingbird
import Kernel
package import Logging

/// The route on the daemon's Unix socket: `POST /admin`, for the daemon's own user and root, and for readers.
package enum AdminRoute {
    package static let path = "/admin"
    /// The largest body in bytes, for a batch of accounts.
    package static let bodyLimit = 16 * 1024 * 1024

    /// Returns the router of the admin socket.
    ///
    /// `readers`: the group whose members may run the commands that read; `nil` for none.
    package static func router(
        _ services: AdminServices,
        readers: UInt32? = nil,
        logger: Logger
    ) -> Router<AdminContext> {
        let router = Router(context: AdminContext.self)
        router.post(RouterPath(path)) { request, context -> Response in
            guard let who = await context.peer(readers: readers) else {
                let error = AdminError(code: "forbidden", message: "Only the daemon's own user and root may do this.")
                return JSONReply.encode(error.answer, status: .forbidden)
            }
            do {
                let call = try await JSONBody(limit: bodyLimit).decode(AdminCall.self, from: request)
                return JSONReply.encode(try await services.answer(call, to: who))
            } catch {
                logger.error("an administration request failed", metadata: ["cause": "\(error)"])
                let apiError = APIError(error, bodyLimit: bodyLimit)
                return JSONReply.encode(
                    AdminError(code: apiError.code, message: apiError.message).answer,
                    status: apiError.status
                )
            }
        }
        return router
    }
}
