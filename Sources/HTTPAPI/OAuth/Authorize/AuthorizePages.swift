import HTTPTypes
import Hummingbird
import NIOCore
import OAuth
import Web

/// The error pages of the authorization endpoint, which look like the landing pages and have no scripts.
struct AuthorizePages: Sendable {
    /// The path of the icons' folder.
    var root = "/"

    /// Returns the page for an invalid request, of which the client is not told (RFC 6749 §4.1.2.1).
    func refused(_ error: OAuthError, in texts: LocalizedStrings) -> Response {
        var content = LandingContent(texts.page(AuthorizePageKey.refused))
        content.refusal = error.code.rawValue
        content.details.detailList = DetailList([
            (texts[LabelKey.errorCode], error.code.rawValue), (texts[LabelKey.errorReason], error.description),
        ])
        return .page(content, .badRequest, formTo: "'none'", in: texts, hasForm: false, root: root)
    }

    /// Returns the page for an error of this server.
    func fault(_ problem: APIError, in texts: LocalizedStrings) -> Response {
        let isBusy = problem.status == .tooManyRequests
        let content = LandingContent(texts.page(isBusy ? MailPageKey.busy : .serverDown))
        return .page(content, problem.status, formTo: "'none'", in: texts, hasForm: false, root: root)
            .retry(after: problem.retryAfter)
    }
}
