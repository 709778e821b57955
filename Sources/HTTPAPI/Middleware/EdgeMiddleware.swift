import HTTPTypes
import Hummingbird
import Kernel
import Logging
import Operations
import Synchronization

/// The outermost layer: it gives each request an id, turns every error into the common error body or a page, and adds
/// the security headers.
///
/// It also applies ``CrossOrigin``, and writes the access log.
struct EdgeMiddleware: RouterMiddleware {
    typealias Context = APIContext

    private let ids: RequestIDs
    private let accessLog: AccessLog?
    private let errorLog: Logger
    private let server: ServerConfiguration
    private let crossOrigin: CrossOrigin
    private let metrics: RouteMetrics?
    private let refusals: RefusalLog?
    private let drain: DrainSwitch?

    /// `configuration`: The origins that may call, and whether requests are logged.
    ///
    /// `logger`: Receives errors, and requests if they are logged.
    ///
    /// `metrics`: `nil` measures nothing.
    ///
    /// `refusals`: Counts refused requests.
    ///
    /// `drain`: Tells whether each answer has to close its connection.
    init(
        _ configuration: EdgeConfiguration = EdgeConfiguration(),
        server: ServerConfiguration,
        environment: Environment,
        logger: Logger,
        metrics: RouteMetrics? = nil,
        refusals: RefusalLog? = nil,
        drain: DrainSwitch? = nil
    ) {
        ids = RequestIDs(prefix: environment.randomBytes(6))
        accessLog =
            configuration.writesAccessLog
            ? AccessLog(logger: logger, clock: environment.clock, addresses: server.addresses) : nil
        errorLog = logger
        self.server = server
        crossOrigin = CrossOrigin(origins: configuration.corsOrigins, publicURL: server.publicURL)
        self.metrics = metrics
        self.refusals = refusals
        self.drain = drain
    }

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.requestID = ids.next()
        context.localization = server.localization
        context.addresses = server.addresses
        let start = accessLog?.clock.now
        let caller = crossOrigin.caller(of: request)
        var response: Response
        do {
            if let early = try crossOrigin.answer(to: request, of: caller) {
                response = early
            } else {
                response = try await next(request, context)
            }
        } catch {
            response = answer(to: error, of: request, context)
        }
        crossOrigin.mark(&response, for: caller)
        finish(&response, context.requestID)
        // RFC 9110 §9.3.2: clients would take a body after HEAD for the next answer on the connection.
        if request.method == .head { response = response.createHeadResponse() }
        if let start { accessLog?.note(request, answeredBy: response, in: context, since: start) }
        return response
    }

    private func answer(to error: any Error, of request: Request, _ context: APIContext) -> Response {
        let paged = error as? PageError
        let cause = paged?.cause ?? error
        let apiError = APIError(cause, bodyLimit: server.bodyLimit)
        metrics?.noteUnmatched(apiError, context)
        refusals?.count(apiError)
        if apiError.status.kind == .serverError {
            errorLog.error("a request failed", metadata: ["request": "\(context.requestID)", "cause": "\(cause)"])
        } else if apiError.endsConnection {
            // Logged at debug level, because anybody can cause such errors in any number.
            errorLog.debug(
                "the body of a request did not arrive whole",
                metadata: ["request": "\(context.requestID)", "code": "\(apiError.code)"]
            )
        }
        return paged?.page
            ?? ErrorPages(server: server).answer(to: apiError, of: request, id: context.requestID)
            ?? apiError.response(requestID: context.requestID)
    }

    private func finish(_ response: inout Response, _ requestID: String) {
        response.headers.append(our: .xRequestID, requestID)
        // RFC 9112 §9.6: a client that reads this header sends its next request on a new connection, and none is lost.
        if drain?.isAnnounced == true { response.headers[.connection] = "close" }
        // RFC 6797 §6.1.
        if server.isSecure {
            response.headers.append(HTTPField(name: .strictTransportSecurity, value: "max-age=31536000"))
        }
        // Answers in JSON have them already.
        guard !response.headers.contains(.xContentTypeOptions) else { return }
        for header in SecurityHeaders.fields where !response.headers.contains(header.name) {
            response.headers.append(header)
        }
    }

    /// Returns the template of the route, which begins with a slash; `nil` for a request without a route.
    static func route(_ context: APIContext) -> String? {
        guard let path = context.endpointPath, path.hasPrefix("/") else { return nil }
        return path
    }
}

/// The log of all requests.
private struct AccessLog: Sendable {
    let logger: Logger
    let clock: any MonotonicClock
    let addresses: ClientAddresses

    /// Logs the route's template instead of the path, which contains ids, and never logs the query.
    func note(_ request: Request, answeredBy response: Response, in context: APIContext, since start: Uptime) {
        logger.info(
            "request",
            metadata: [
                "request": "\(context.requestID)", "method": "\(request.method.rawValue)",
                "route": "\(EdgeMiddleware.route(context) ?? "unmatched")", "status": "\(response.status.code)",
                "ms": "\((clock.now - start).wholeMilliseconds)",
                "address": "\(addresses.client(of: request, context)?.description ?? "-")",
            ]
        )
    }
}

/// The ids of requests: a random start per process, then a count; cheap, unique, and not secret.
private final class RequestIDs: Sendable {
    private let prefix: String
    private let count = Atomic<UInt64>(0)

    init(prefix: [UInt8]) { self.prefix = Base64URL.encode(prefix) }

    func next() -> String {
        prefix + "-" + String(count.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
    }
}
