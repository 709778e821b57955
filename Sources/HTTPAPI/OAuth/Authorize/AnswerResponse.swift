import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import OAuth
import Web

/// Sends a browser back to a client with the authorization answer.
enum AnswerResponse {
    /// Returns the redirect, or the page that posts the answer, in the language of `texts`.
    static func make(_ answer: AuthorizationAnswer, in texts: LocalizedStrings) -> Response {
        switch answer.responseMode {
        case .query: redirect(to: location(of: answer), texts)
        case .formPost: page(answer, texts)
        }
    }

    /// 303: the browser follows with a GET, and never forwards the form of this request (RFC 9700 §4.12).
    ///
    /// The code is a secret: the answer is neither cached nor passed on as a referrer (RFC 9700 §4.2.4).
    private static func redirect(to location: String, _ texts: LocalizedStrings) -> Response {
        var response = AppLinkPage.redirect(to: location, ending: .loginInApp, in: texts)
        response.headers[our: .pragma] = "no-cache"
        return response
    }

    /// Returns the redirect URI with the parameters appended to its query (RFC 6749 §3.1.2, §4.1.2).
    ///
    /// The URI equals a registered one byte by byte and has no fragment, so that it needs no rewriting.
    static func location(of answer: AuthorizationAnswer) -> String {
        QueryText.add(answer.parameters.map { ($0.name, $0.value) }, to: answer.redirectURI)
    }

    // MARK: Form post (OAuth 2.0 Form Post Response Mode §2)

    private static func page(_ answer: AuthorizationAnswer, _ texts: LocalizedStrings) -> Response {
        let words = texts.page(AuthorizePageKey.goingBack)
        let content = Content(
            title: words.title,
            body: words.body,
            button: words.button ?? "",
            action: answer.redirectURI,
            fields: answer.parameters.map { Field(name: $0.name, value: $0.value) },
            script: script
        )
        let markup = ByteBuffer(string: template.render(content, in: texts))
        var response = Response.page(
            markup,
            policy: "\(Response.frame(of: texts.brand)); \(policy)",
            in: texts,
            hasForm: false
        )
        response.headers[our: .pragma] = "no-cache"
        return response
    }

    /// The content of `pages/answer.mustache`, which posts the fields without a click.
    struct Content: Sendable {
        let title: String
        let body: String
        let button: String
        let action: String
        let fields: [Field]
        let script: String
    }

    struct Field: Sendable {
        let name: String
        let value: String
    }

    private static let template = PageTemplate<Content>("answer")

    /// The end of the content security policy of the page that posts an answer, without `form-action`.
    ///
    /// Browsers would apply `form-action` also to the client's redirect after the form (CSP Level 3 §6.4.1). The form's
    /// own address is a registered one.
    private static let policy = [
        "script-src \(LandingPages.hash(of: script))", "frame-ancestors 'none'", "base-uri 'none'",
    ].joined(separator: "; ")

    private static let script = WebAssets.submitScript(afterMilliseconds: 0)
}
