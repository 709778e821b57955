package import HTTPTypes
package import Hummingbird
import TokenReading
import Tokens

/// One route: what the router mounts, what docs/openapi.yaml describes, and which callers it answers.
package struct Route: Sendable {
    package typealias Handler = @Sendable (Request, APIContext) async throws -> Response
    /// The handler of a route that asks who is signed in, and answers others as well.
    typealias GuestHandler = @Sendable (Request, APIContext, Guest) async throws -> Response
    /// The handler of a route for signed-in people.
    typealias SessionHandler = @Sendable (Request, APIContext, SignedIn) async throws -> Response
    /// The handler of a route for signed-in people that answers from memory.
    typealias ClaimsHandler = @Sendable (Request, APIContext, AccessClaims) async throws -> Response
    /// Looks at a request before its handler runs; returns the poll where the request is to wait first.
    typealias Interceptor = @Sendable (Request, inout APIContext) -> ParkedPoll?

    package let method: HTTPRequest.Method
    /// The path with `{names}`, as OpenAPI writes it.
    package let template: String
    package let access: Access
    /// The interceptor, with which ``PublicResponder`` looks here before it asks the router; the template then ends in
    /// the operation's id.
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

    /// Returns `GET` and `HEAD` of a document (RFC 9110 §9.3.2): the edge leaves out the body of the second.
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

    /// Returns the same route, with its refusals answered in another form, including those of the gate.
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

    /// Returns the route as it answers requests: where it asks who is signed in, they reach its handler through the gate
    /// alone.
    ///
    /// `gate`: Evaluated for such a route only.
    func mounted(behind gate: @autoclosure () throws -> AccessGate) rethrows -> MountedRoute {
        let handler =
            switch guarded {
            case .open(let handler): handler
            case .gated(let handler): try handler(gate())
            }
        return MountedRoute(method: method, template: template, interceptor: interceptor, handler: handler)
    }

    /// How requests reach the handler.
    private enum Guarded: Sendable {
        /// Everybody's requests do, and no gate sees them.
        case open(Handler)
        /// The gate's handler passes them on.
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
    /// The same routes, and again below `/api`: the published app's base address ends so, and the seed prints the paths
    /// without it.
    var alsoUnderAPI: [Route] { self + map { $0.under("/api") } }
}

/// A route behind the gate.
struct MountedRoute: Sendable {
    let method: HTTPRequest.Method
    let template: String
    let interceptor: Route.Interceptor?
    let handler: Route.Handler
}
