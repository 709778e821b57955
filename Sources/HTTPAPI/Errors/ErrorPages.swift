import HTTPTypes
import Hummingbird
import Web

/// The answer to an error for a person: a page in place of the common error body.
///
/// A browser gets it when it opens an address of a page and no page of its own fits the error. Everything else gets
/// JSON: scripts, programs, and every request to an address that only programs call.
struct ErrorPages: Sendable {
    let server: ServerConfiguration

    /// Returns the page with the error's status and headers; `nil` for a request that JSON answers.
    func answer(to error: APIError, of request: Request, id: String) -> Response? {
        guard Self.isNavigation(request), AcceptedMedia(request).prefersHTML else { return nil }
        return page(error, id: id, in: AcceptedLanguage(languages: server.localization.current).texts(for: request))
    }

    private func page(_ error: APIError, id: String, in texts: LocalizedStrings) -> Response {
        let seconds = "\(error.retryAfter ?? 1)"
        let page = texts.page(ErrorPageKey(error.status))
        var content = LandingContent(title: page.title, body: page.body.replacing("%", with: seconds))
        content.refusal = error.code
        content.details.detailList = DetailList([
            (texts[LabelKey.errorCode], error.code), (texts[LabelKey.request], id),
        ])
        if server.hasHome {
            content.form = .init(method: "get", action: server.root, button: texts[LabelKey.home])
        }
        var response = Response.page(
            content,
            error.status,
            formTo: "'self'",
            in: texts,
            hasForm: false,
            root: server.root
        )
        // RFC 9110 §12.5.5: the same address answers programs in JSON.
        response.headers[.vary] = "Accept, Accept-Language"
        response.headers.append(contentsOf: error.headers)
        return response.retry(after: error.retryAfter)
    }

    // MARK: Requests

    /// Returns whether a browser opens an address that people open.
    ///
    /// The header `Sec-Fetch-Mode` tells a navigation from a script's request, also from one that asks for HTML.
    static func isNavigation(_ request: Request) -> Bool {
        if let mode = request.headers[our: .secFetchMode], mode != "navigate" { return false }
        return !isOfPrograms(request.uri.path)
    }

    /// Returns whether only programs call the address.
    ///
    /// Some of their HTTP libraries ask for HTML by default, and would not read an error's code in it.
    static func isOfPrograms(_ path: String) -> Bool {
        let parts = path.split(separator: "/").prefix(2).map { String($0) }
        guard let first = parts.first else { return false }
        guard first == "oauth" else { return programs.contains(first) }
        return parts.count == 1 || !CrossOrigin.navigated.contains(parts[1])
    }

    private static let programs: Set<String> = [
        ".well-known", "admin", "api", "assets", "auth", "biometric", "livez", "openapi.yaml", "readyz", "token",
        "version", "webhooks",
    ]
}

extension ErrorPageKey {
    /// The page for the status of an error.
    init(_ status: HTTPResponse.Status) {
        self =
            switch status {
            case .unauthorized, .forbidden: .forbidden
            case .notFound: .notFound
            case .methodNotAllowed: .notAllowed
            case .gone: .gone
            case .tooManyRequests: .busy
            case .serviceUnavailable: .unavailable
            case let status where status.kind == .serverError: .fault
            default: .refused
            }
    }
}
