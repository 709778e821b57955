import HTTPTypes
import Hummingbird

/// What the page has to know: where it signs people in, and as which client.
struct PageSettings: ResponseEncodable {
    let issuer: String
    let client: String
}

/// Restricts the page to its own files, and to requests to this backend and to Vestibule.
struct PageHeaders<Context: RequestContext>: RouterMiddleware {
    let issuer: String

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.contentSecurityPolicy] = """
            default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' \(issuer); base-uri 'none'; \
            form-action 'none'; frame-ancestors 'none'
            """
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
