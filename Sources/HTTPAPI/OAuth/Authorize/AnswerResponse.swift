import HTTPTypes
import Hummingbird
import Kernel
import Mustache
import NIOCore
import OAuth

/// Sends a browser back to a client with its answer.
enum AnswerResponse {
    /// The redirect, or the page that posts the answer, in the words of `texts`.
    static func make(_ answer: AuthorizationAnswer, in texts: Texts) -> Response {
        switch answer.responseMode {
        case .query: redirect(to: location(of: answer))
        case .formPost: page(answer, texts)
        }
    }

    /// 303: the browser follows with a GET, and never sends on what was typed here (RFC 9700 §4.12).
    ///
    /// The code is a secret: the answer is neither cached nor passed on as a referrer (RFC 9700 §4.2.4).
    private static func redirect(to location: String) -> Response {
        var response = Response(status: .seeOther, headers: [.location: location, .cacheControl: "no-store"])
        response.headers[our: .pragma] = "no-cache"
        return response
    }

    /// The redirect URI with the parameters behind what it has of a query (RFC 6749 §3.1.2, §4.1.2).
    ///
    /// It was compared byte by byte with what the client has registered, and has no fragment: nothing of it is written anew.
    static func location(of answer: AuthorizationAnswer) -> String {
        QueryText.add(answer.parameters.map { ($0.name, $0.value) }, to: answer.redirectURI)
    }

    // MARK: Form post (OAuth 2.0 Form Post Response Mode §2)

    private static func page(_ answer: AuthorizationAnswer, _ texts: Texts) -> Response {
        let words = texts.authorize.goingBack
        let values: [String: Any] = [
            "language": texts.language, "style": PageTemplates.style, "script": script, "title": words.title,
            "body": words.body, "button": words.button ?? "", "action": answer.redirectURI,
            "fields": answer.parameters.map { ["name": $0.name, "value": $0.value] },
        ]
        var response = Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy, .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: template?.render(values) ?? ""))
        )
        response.headers[our: .pragma] = "no-cache"
        response.say(in: texts)
        return response
    }

    /// Our own text, which a test renders: it parses.
    private static let template = PageMarkup.template(markup)

    /// The policy of the page that posts an answer, without `form-action`.
    ///
    /// Browsers check where the client's answer to the form redirects to against it as well, which is the client's own affair
    /// (CSP Level 3 §6.4.1). The one form's address is the client's registered one.
    private static let policy = [
        "default-src 'none'", "style-src \(LandingPages.hash(of: PageTemplates.style))",
        "script-src \(LandingPages.hash(of: script))", "frame-ancestors 'none'", "base-uri 'none'",
    ].joined(separator: "; ")

    private static let script = PageTemplates.script(after: 0)

    private static let markup = """
        \(PageTemplates.head)
        <body>
        <main>
        <svg aria-hidden="true" viewBox="0 0 48 48" width="48" height="48">\(PageTemplates.mark)</svg>
        <h1>{{title}}</h1>
        <p role="status">{{body}}</p>
        <form method="post" action="{{action}}">{{#fields}}<input type="hidden" name="{{name}}" value="{{value}}">{{/fields}}
        <button type="submit">{{button}}</button></form>
        </main>
        <script>{{{script}}}</script>
        </body>
        </html>
        """
}
