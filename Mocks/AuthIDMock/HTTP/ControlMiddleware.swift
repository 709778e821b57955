import HTTPTypes
import Hummingbird
import MockServing

/// Turns what the control API's handlers throw into `{ID, Message}`, the form that authID's errors have as well.
struct ControlErrors: RouterMiddleware {
    func handle(
        _ request: Request,
        context: MockContext,
        next: @concurrent (Request, MockContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as ProviderError {
            return JSONReply(error).response
        } catch DecisionError.unknownScan {
            return JSONReply(ProviderError(status: 404, id: "E_SCAN_NOT_FOUND", message: "No such scan.")).response
        } catch DecisionError.alreadyDecided(let outcome) {
            let message = "The scan has ended already: \(outcome.rawValue)."
            return JSONReply(ProviderError(status: 409, id: "E_SCAN_DECIDED", message: message)).response
        }
    }
}

/// Refuses what a browser sends for another site: a page on the web must not steer the mock of its reader
/// (Fetch Metadata, `Sec-Fetch-Site`).
struct SameSiteOnly: RouterMiddleware {
    func handle(
        _ request: Request,
        context: MockContext,
        next: @concurrent (Request, MockContext) async throws -> Response
    ) async throws -> Response {
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }), site == "cross-site" {
            throw ProviderError(status: 403, id: "E_CROSS_SITE", message: "Not from another site.")
        }
        return try await next(request, context)
    }
}
