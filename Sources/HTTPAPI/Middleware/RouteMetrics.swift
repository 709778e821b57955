import CoreMetrics
import HTTPTypes
import Hummingbird
import Kernel

/// Measures the API through swift-metrics.
///
/// Requests and their durations are counted by route template and status, never by path, which contains ids.
///
/// The series of a route are created with the route. A request costs two readings of the clock and three atomic
/// additions.
struct RouteMetrics: Sendable {
    private let factory: any MetricsFactory
    private let clock: any MonotonicClock
    /// The series for requests without a route.
    let unmatched: Series

    init(_ factory: any MetricsFactory, clock: any MonotonicClock) {
        self.factory = factory
        self.clock = clock
        unmatched = Series(method: "any", route: "unmatched", factory: factory)
    }

    /// Returns the route with its requests measured.
    func measured(_ route: MountedRoute) -> MountedRoute {
        let series = Series(method: route.method.rawValue, route: route.template, factory: factory)
        let handler = route.handler
        let clock = clock
        return MountedRoute(method: route.method, template: route.template, interceptor: route.interceptor) {
            request,
            context in
            let start = clock.now
            do {
                let response = try await handler(request, context)
                series.note(response.status.code, clock.now.nanoseconds - start.nanoseconds)
                return response
            } catch {
                series.note(Self.status(of: error), clock.now.nanoseconds - start.nanoseconds)
                throw error
            }
        }
    }

    /// Returns the status with which ``EdgeMiddleware`` answers the error.
    private static func status(of error: any Error) -> Int {
        if let error = error as? PageError { return error.page.status.code }
        return APIError(error, bodyLimit: 0).status.code
    }

    /// Counts a request that was refused before a route handled it, because its path or method is unknown.
    func noteUnmatched(_ apiError: APIError, _ context: APIContext) {
        guard apiError.status == .methodNotAllowed || EdgeMiddleware.route(context) == nil else { return }
        unmatched.count(apiError.status.code)
    }

    /// The series of one route.
    struct Series: Sendable {
        /// The status codes that this API answers with; all others are counted as `other`.
        private static let codes = [200, 204, 303, 400, 401, 403, 404, 405, 409, 410, 413, 415, 429, 500, 503]
        /// The index of each status's counter, at the position of the status minus 200.
        private static let positions: [Int] = {
            var positions = [Int](repeating: codes.count, count: 400)
            for (index, code) in codes.enumerated() { positions[code - 200] = index }
            return positions
        }()

        private let counters: [Counter]
        private let took: CoreMetrics.Timer

        init(method: String, route: String, factory: any MetricsFactory) {
            counters = (Self.codes.map(String.init) + ["other"]).map { status in
                Counter(
                    label: "vestibule_http_requests_total",
                    dimensions: [("method", method), ("route", route), ("status", status)],
                    factory: factory
                )
            }
            took = CoreMetrics.Timer(
                label: "vestibule_http_request_seconds",
                dimensions: [("method", method), ("route", route)],
                factory: factory
            )
        }

        func note(_ status: Int, _ nanoseconds: Int64) {
            count(status)
            took.recordNanoseconds(nanoseconds)
        }

        func count(_ status: Int) {
            let position =
                Self.positions.indices.contains(status - 200) ? Self.positions[status - 200] : Self.codes.count
            counters[position].increment()
        }
    }
}
