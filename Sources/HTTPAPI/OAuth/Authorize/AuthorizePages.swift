import HTTPTypes
import Hummingbird
import NIOCore
import OAuth
import Web

/// What a person reads whom a client sent with a request that leads nowhere: in the form of the landing pages, without script.
struct AuthorizePages: Sendable {
    /// The request is not good, and its client is not told by way of the browser (RFC 6749 §4.1.2.1).
    func refused(_ error: OAuthError, in texts: LocalizedStrings) -> Response {
        var content = LandingContent(texts.page(AuthorizePageKey.refused))
        content.refusal = error.code.rawValue
        content.details.environment = DetailList([
            (texts[LabelKey.errorCode], error.code.rawValue), (texts[LabelKey.errorReason], error.description),
        ])
        return .page(content, .badRequest, formTo: "'none'", in: texts, hasForm: false)
    }

    /// For what goes wrong here.
    func fault(_ problem: APIError, in texts: LocalizedStrings) -> Response {
        let isBusy = problem.status == .tooManyRequests
        let content = LandingContent(texts.page(isBusy ? MailPageKey.busy : .serverDown))
        return .page(content, problem.status, formTo: "'none'", in: texts, hasForm: false).retry(
            after: problem.retryAfter
        )
    }
}
