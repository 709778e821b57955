package import Hummingbird
import Kernel

/// Answers requests: polls straight away, everything else through the router.
///
/// Every waiting client polls every two seconds, and the router's search took longer than the answer. A path that is
/// not exactly that of a poll, down to the form of the id, goes the long way; both ways lead through the same edge to
/// the same handler.
package struct PublicResponder: HTTPResponder {
    private let direct: [DirectRoute]
    private let edge: EdgeMiddleware
    private let router: RouterResponder<APIContext>

    init(direct: [Route], edge: EdgeMiddleware, router: RouterResponder<APIContext>) {
        self.direct = direct.map(DirectRoute.init)
        self.edge = edge
        self.router = router
    }

    package func respond(to request: Request, context: APIContext) async throws -> Response {
        guard let (route, id) = directRoute(of: request) else {
            return try await router.respond(to: request, context: context)
        }
        var context = context
        context.operationID = id
        context.coreContext.endpointPath.value = route.template
        return try await edge.handle(request, context: context) { try await route.handler($0, $1) }
    }

    private func directRoute(of request: Request) -> (Route, UUIDBits)? {
        let path = request.uri.string
        for candidate in direct where candidate.route.method == request.method {
            if let id = candidate.id(in: path) { return (candidate.route, id) }
        }
        return nil
    }
}

/// A route whose template ends in the operation's id.
private struct DirectRoute {
    let route: Route
    private let prefix: String

    init(_ route: Route) {
        self.route = route
        prefix = String(route.template.prefix { $0 != "{" })
    }

    func id(in path: String) -> UUIDBits? {
        guard path.utf8.count == prefix.utf8.count + 36, path.hasPrefix(prefix) else { return nil }
        return UUIDBits(Substring(path.utf8.dropFirst(prefix.utf8.count)))
    }
}
