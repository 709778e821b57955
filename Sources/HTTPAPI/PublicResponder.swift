package import Hummingbird
import Kernel

/// Answers requests: polls directly, and all other requests through the router.
///
/// Every waiting client polls every two seconds, and the router's search took longer than the answer itself. A path
/// that is not exactly a poll's, including the form of the id, takes the router. Both ways lead through the same edge
/// to the same handler.
///
/// A poll that waits does so here, before edge and handler are called. An asynchronous function keeps its stack while
/// it waits, and thousands of polls wait.
package struct PublicResponder: HTTPResponder {
    private let direct: [DirectRoute]
    private let edge: EdgeMiddleware
    private let router: RouterResponder<APIContext>

    init(direct: [MountedRoute], edge: EdgeMiddleware, router: RouterResponder<APIContext>) {
        self.direct = direct.map(DirectRoute.init)
        self.edge = edge
        self.router = router
    }

    package func respond(to request: Request, context: APIContext) async throws -> Response {
        guard let direct = directRequest(of: request, context) else {
            return try await router.respond(to: RouteTable.routable(request), context: context)
        }
        await direct.parked?.park(direct.context)
        return try await edge.handle(request, context: direct.contextNow(), next: direct.handler)
    }

    @inline(never)
    private func directRequest(of request: Request, _ context: APIContext) -> DirectRequest? {
        let path = request.uri.string
        for candidate in direct where candidate.route.method == request.method {
            guard let id = candidate.id(in: path) else { continue }
            var context = context
            context.operationID = id
            context.coreContext.endpointPath.value = candidate.route.template
            let parked = candidate.route.interceptor?(request, &context)
            return DirectRequest(context: context, handler: candidate.route.handler, parked: parked)
        }
        return nil
    }
}

/// A request that is answered without the router.
///
/// It is an object, so that a waiting task holds only a reference to it.
private final class DirectRequest: Sendable {
    let context: APIContext
    let handler: Route.Handler
    let parked: ParkedPoll?

    init(context: APIContext, handler: @escaping Route.Handler, parked: ParkedPoll?) {
        self.context = context
        self.handler = handler
        self.parked = parked
    }

    /// Returns the context, with the information whether the client left while the poll waited.
    @inline(never)
    func contextNow() -> APIContext {
        guard parked?.isDeserted == true else { return context }
        var context = context
        context.pollAdmission = .deserted
        return context
    }
}

/// A route whose template ends in the operation's id.
private struct DirectRoute {
    private static let idLength = 36

    let route: MountedRoute
    private let prefix: String

    init(_ route: MountedRoute) {
        self.route = route
        prefix = String(route.template.prefix { $0 != "{" })
    }

    /// Returns the id at the end of the path, which a query may follow.
    func id(in path: String) -> UUIDBits? {
        guard path.hasPrefix(prefix) else { return nil }
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        let end = rest.dropFirst(Self.idLength).first
        guard end == nil || end == UInt8(ascii: "?") else { return nil }
        return UUIDBits(Substring(rest.prefix(Self.idLength)))
    }
}
