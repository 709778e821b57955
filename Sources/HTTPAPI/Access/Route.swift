package import HTTPTypes
package import Hummingbird
import TokenReading
import Tokens

/// One route, which the router mounts and docs/openapi.yaml describes, with the callers that it answers.
package struct Route: Sendable {
    package typealias Handler = @Sendable (Request, APIContext) async throws -> Response
    /// The handler of a route that can know who is signed in, and also answers other callers.
    typealias GuestHandler = @Sendable (Request, APIContext, Guest) async throws -> Response
    /// The handler of a route for signed-in people.
    typealias SessionHandler = @Sendable (Request, APIContext, SignedIn) async throws -> Response
    /// The handler of a route for signed-in people that reads only the cache.
    typealias ClaimsHandler = @Sendable (Request, APIContext, AccessClaims) async throws -> Response
    /// Reads a request before its handler runs, and returns a poll if the request has to wait first.
    typealias Interceptor = @Sendable (Request, inout APIContext) -> ParkedPoll?

    package let method: HTTPRequest.Method
    /// The path with `{names}`, as OpenAPI writes it.
    package let template: String
    package let access: Access
    /// The interceptor, which ``PublicResponder`` calls instead of the router.
    ///
    /// The template then has to end in the operation's id.
    let interceptor: Interceptor?
    private let guarded: Guarded

    private init(
        _ method: HTTPRequest.Method,
        _ template: String,
        access: Access,
        interceptor: Interceptor?,
        guarded: Guarded
    ) {
        self.method = method
        self.template = template
        self.access = access
        self.interceptor = interceptor
        self.guarded = guarded
    }

    init(
        _ method: HTTPRequest.Method,
        _ template: String,
        access: OpenAccess,
        interceptor: Interceptor? = nil,
        use handler: @escaping Handler
    ) {
        self.init(method, template, access: .open(access), interceptor: interceptor, guarded: .open(handler))
    }

    /// Returns `GET` and `HEAD` of a document (RFC 9110 §9.3.2); ``EdgeMiddleware`` omits the body for `HEAD`.
    static func document(_ template: String, access: OpenAccess, use handler: @escaping Handler) -> [Route] {
        [Route(.get, template, access: access, use: handler), Route(.head, template, access: access, use: handler)]
    }

    init(_ method: HTTPRequest.Method, _ template: String, access: GuestAccess, use handler: @escaping GuestHandler) {
        let guarded = Guarded.gated { gate in
            { request, context in try await handler(request, context, gate.guest(request, access)) }
        }
        self.init(method, template, access: .guest(access), interceptor: nil, guarded: guarded)
    }

    init(_ method: HTTPRequest.Method, _ template: String, access: SessionAccess, use handler: @escaping SessionHandler)
    {
        let guarded = Guarded.gated { gate in
            { request, context in try await handler(request, context, gate.signedIn(request, access)) }
        }
        self.init(method, template, access: .session(access), interceptor: nil, guarded: guarded)
    }

    init(_ method: HTTPRequest.Method, _ template: String, access: SessionAccess, use handler: @escaping ClaimsHandler)
    {
        let guarded = Guarded.gated { gate in
            { request, context in try await handler(request, context, gate.claims(request, access)) }
        }
        self.init(method, template, access: .session(access), interceptor: nil, guarded: guarded)
    }

    /// Returns the same route under a prefix.
    func under(_ prefix: String) -> Route {
        Route(method, prefix + template, access: access, interceptor: interceptor, guarded: guarded)
    }

    /// Returns the same route with another form of its errors, including those of the access gate.
    ///
    /// `form`: Returns the answer to an error, which is still logged; `nil` for the usual answer.
    func answering(refusals form: @escaping @Sendable (any Error) -> Response?) -> Route {
        let guarded = guarded.mapped { handler in
            { request, context in
                do { return try await handler(request, context) } catch {
                    guard let page = form(error) else { throw error }
                    throw PageError(cause: error, page: page)
                }
            }
        }
        return Route(method, template, access: access, interceptor: interceptor, guarded: guarded)
    }

    /// Returns the route as the router mounts it.
    ///
    /// A handler that can know who is signed in gets its requests only through the gate.
    ///
    /// `gate`: Evaluated only for such a route.
    func mounted(behind gate: @autoclosure () throws -> AccessGate) rethrows -> MountedRoute {
        let handler =
            switch guarded {
            case .open(let handler): handler
            case .gated(let handler): try handler(gate())
            }
        return MountedRoute(method: method, template: template, interceptor: interceptor, handler: handler)
    }

    /// The way of requests to the handler.
    private enum Guarded: Sendable {
        /// Every request reaches the handler directly.
        case open(Handler)
        /// Requests reach the handler through the gate.
        case gated(@Sendable (AccessGate) -> Handler)

        func mapped(_ wrap: @escaping @Sendable (@escaping Handler) -> Handler) -> Guarded {
            switch self {
            case .open(let handler): .open(wrap(handler))
            case .gated(let handler): .gated { wrap(handler($0)) }
            }
        }
    }
}

extension [Route] {
    /// The same routes, and again below `/api`.
    ///
    /// The published app's base address ends in `/api`, and its documentation shows the paths without it.
    var alsoUnderAPI: [Route] { self + map { $0.under("/api") } }
}

/// A route with its gate, ready for the router.
struct MountedRoute: Sendable {
    let method: HTTPRequest.Method
    let template: String
    let interceptor: Route.Interceptor?
    let handler: Route.Handler
}
