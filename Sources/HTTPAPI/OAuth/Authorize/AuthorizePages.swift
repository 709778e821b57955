import HTTPTypes
import Hummingbird
import NIOCore
import OAuth
import Web

/// What a person reads whom a client sent with a request that leads nowhere: in the form of the landing pages, without script.
struct AuthorizePages: Sendable {
    private let policy: String

    init() {
        policy = [
            "default-src 'none'", "style-src \(LandingPages.hash(of: WebAssets.pageStyle))", "form-action 'none'",
            "frame-ancestors 'none'", "base-uri 'none'",
        ].joined(separator: "; ")
    }

    /// The request is not good, and its client is not told by way of the browser (RFC 6749 §4.1.2.1).
    func refused(_ error: OAuthError, in texts: LocalizedStrings) -> Response {
        var content = LandingContent(texts.page(AuthorizePageKey.refused))
        content.refusal = error.code.rawValue
        content.details.facts = DetailList([
            (texts[LabelKey.errorCode], error.code.rawValue), (texts[LabelKey.errorReason], error.description),
        ])
        return response(.badRequest, content, in: texts)
    }

    /// For what goes wrong here.
    func fault(_ problem: APIError, in texts: LocalizedStrings) -> Response {
        let isBusy = problem.status == .tooManyRequests
        var response = response(problem.status, .init(texts.page(isBusy ? MailPageKey.busy : .serverDown)), in: texts)
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private func response(
        _ status: HTTPResponse.Status,
        _ content: LandingContent,
        in texts: LocalizedStrings
    ) -> Response {
        var response = Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy, .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: LandingContent.template.render(content, in: texts)))
        )
        response.say(in: texts)
        return response
    }
}
