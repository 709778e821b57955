// HTTPAPI: routes, middleware, encoding, and the content of pages.
// Owns the route table, access to each route, errors on the wire, limits by address, connections.
// Opens no unit of work: a handler decodes, authorises, calls one use case, encodes.
// Survives hostile requests: ambiguous framing, slow bodies and floods are refused and bounded.
// Routes equal docs/openapi.yaml, by test.

import HTTPTypes
import Hummingbird

/// All routes, mounted on one router behind the access gate, with an error for every other method and path.
struct RouteTable: Sendable {
    let routes: [Route]
    private let gate: AccessGate

    init(_ routes: [Route], behind gate: AccessGate) {
        self.routes = routes
        self.gate = gate
    }

    /// Returns the responder behind `edge`; without `metrics` no requests are measured.
    func responder(edge: EdgeMiddleware, metrics: RouteMetrics? = nil) -> PublicResponder {
        let mounted = routes.map { route in
            let behind = route.mounted(behind: gate)
            return metrics?.measured(behind) ?? behind
        }
        return Self.responder(mounted, edge: edge)
    }

    static func responder(_ mounted: [MountedRoute], edge: EdgeMiddleware) -> PublicResponder {
        PublicResponder(
            direct: mounted.filter { $0.interceptor != nil },
            edge: edge,
            router: router(mounted, edge: edge).buildResponder()
        )
    }

    private static func router(_ routes: [MountedRoute], edge: EdgeMiddleware) -> Router<APIContext> {
        let router = Router(context: APIContext.self)
        router.add(middleware: edge)
        for (template, routes) in Dictionary(grouping: routes, by: \.template) {
            // Read once: a debug build spends more time on it than on the rest of the table.
            let path = RouterPath(template)
            for route in routes { router.on(path, method: route.method, use: route.handler) }
            let allowed = routes.map(\.method)
            for method in knownMethods where !allowed.contains(method) {
                router.on(path, method: method) { _, _ -> Response in
                    throw APIError.methodNotAllowed(allowed: allowed)
                }
            }
        }
        return router
    }

    private static let knownMethods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect, other,
    ]

    /// The name by which unknown methods are looked up (`_OTHER`, OpenTelemetry semantic conventions).
    private static let other = HTTPRequest.Method("_OTHER") ?? .trace

    /// Returns the request with a method that the router knows.
    ///
    /// Every path answers 405 to an unknown method (RFC 9110 §15.5.6).
    static func routable(_ request: Request) -> Request {
        guard !knownMethods.contains(request.method) else { return request }
        var head = request.head
        head.method = other
        return Request(head: head, body: request.body)
    }
}
