package import HTTPTypes
package import Hummingbird

/// One route: what the router mounts and what docs/openapi.yaml describes.
package struct Route: Sendable {
    package typealias Handler = @Sendable (Request, APIContext) async throws -> Response
    /// Looks at a request before its handler runs, and says whether it is to wait first.
    typealias Antechamber = @Sendable (Request, inout APIContext) -> ParkedPoll?

    package let method: HTTPRequest.Method
    /// The path with `{names}`, as OpenAPI writes it.
    package let template: String
    let handler: Handler
    /// With one, ``PublicResponder`` looks here before it asks the router; the template then ends in the operation's id.
    let antechamber: Antechamber?

    init(
        _ method: HTTPRequest.Method,
        _ template: String,
        antechamber: Antechamber? = nil,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.template = template
        self.antechamber = antechamber
        self.handler = handler
    }

    /// The same route under a prefix.
    func under(_ prefix: String) -> Route {
        Route(method, prefix + template, antechamber: antechamber, handler)
    }
}

/// All routes, mounted on one router with an answer for every other method and path.
package struct RouteTable: Sendable {
    package let routes: [Route]

    package init(_ routes: [Route]) { self.routes = routes }

    /// What answers requests, behind `edge`; `metrics`: `nil` measures nothing.
    package func responder(edge: EdgeMiddleware, metrics: RouteMetrics? = nil) -> PublicResponder {
        let table = metrics.map { metrics in RouteTable(routes.map { metrics.measured($0) }) } ?? self
        return PublicResponder(
            direct: table.routes.filter { $0.antechamber != nil },
            edge: edge,
            router: table.router(edge: edge).buildResponder()
        )
    }

    private func router(edge: EdgeMiddleware) -> Router<APIContext> {
        let router = Router(context: APIContext.self)
        router.add(middleware: edge)
        for route in routes {
            router.on(RouterPath(route.template), method: route.method, use: route.handler)
        }
        for (template, allowed) in methods {
            for method in Self.knownMethods where !allowed.contains(method) {
                router.on(RouterPath(template), method: method) { _, _ -> Response in
                    throw Problem.methodNotAllowed(allowed: allowed)
                }
            }
        }
        return router
    }

    private static let knownMethods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    private var methods: [String: [HTTPRequest.Method]] {
        Dictionary(grouping: routes, by: \.template).mapValues { $0.map(\.method) }
    }
}
