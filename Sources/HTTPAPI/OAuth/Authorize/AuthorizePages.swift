import HTTPTypes
import Hummingbird
import Mustache
import NIOCore
import OAuth

/// What a person reads whom a client sent with a request that leads nowhere: in the form of the landing pages, without script.
struct AuthorizePages: Sendable {
    private let template: MustacheTemplate?
    private let policy: String

    init() {
        // Our own text, which a test renders: it parses.
        template = PageMarkup.template(PageTemplates.page)
        policy = [
            "default-src 'none'", "style-src \(LandingPages.hash(of: PageTemplates.style))", "form-action 'none'",
            "frame-ancestors 'none'", "base-uri 'none'",
        ].joined(separator: "; ")
    }

    /// The request is not good, and its client is not told by way of the browser (RFC 6749 §4.1.2.1).
    func refused(_ error: OAuthError, in texts: Texts) -> Response {
        let words = texts.authorize
        let facts = [
            ["label": words.code, "value": error.code.rawValue], ["label": words.reason, "value": error.description],
        ]
        let own: [String: Any] = [
            "hasRefusal": true, "refusal": error.code.rawValue, "hasFacts": true, "facts": facts,
        ]
        return response(.badRequest, words.refused, own, texts)
    }

    /// For what goes wrong here.
    func fault(_ problem: Problem, in texts: Texts) -> Response {
        let isBusy = problem.status == .tooManyRequests
        var response = response(problem.status, isBusy ? texts.mail.busy : texts.mail.serverDown, [:], texts)
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private func response(
        _ status: HTTPResponse.Status,
        _ words: Texts.PageText,
        _ own: [String: Any],
        _ texts: Texts
    ) -> Response {
        let values: [String: Any] = [
            "language": texts.language, "style": PageTemplates.style, "title": words.title, "body": words.body,
        ]
        let html = template?.render(values.merging(own) { _, own in own }) ?? ""
        var response = Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy, .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html))
        )
        response.say(in: texts)
        return response
    }
}
