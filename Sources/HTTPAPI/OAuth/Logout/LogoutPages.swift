import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// The pages of a logout: in the form of the landing pages, without any script.
struct LogoutPages: Sendable {
    enum Page: Sendable, CaseIterable {
        /// Nobody is signed in here any more.
        case done
        /// The client's request can't be followed.
        case refused
    }

    private let template: MustacheTemplate?
    private let frame: [String]

    init() {
        // Our own text, which a test renders: it parses.
        template = PageMarkup.template(PageTemplates.page)
        frame = [
            "default-src 'none'", "style-src \(LandingPages.hash(of: PageTemplates.style))", "frame-ancestors 'none'",
            "base-uri 'none'",
        ]
    }

    func render(_ page: Page, in texts: Texts) -> Response {
        switch page {
        case .done: response(.ok, texts.logout.done, [:], leadingTo: nil, texts)
        case .refused: response(.badRequest, texts.logout.refused, [:], leadingTo: nil, texts)
        }
    }

    /// The page that asks; `leadingTo`: where the browser goes when the person has said yes.
    func ask(_ client: String?, action: String, leadingTo address: String?, in texts: Texts) -> Response {
        let values: [String: Any] = [
            "hasAction": true, "action": action, "hasFacts": client != nil,
            "facts": [["label": texts.logout.client, "value": client ?? ""]],
        ]
        return response(.ok, texts.logout.ask, values, leadingTo: address, texts)
    }

    private func response(
        _ status: HTTPResponse.Status,
        _ words: Texts.PageText,
        _ own: [String: Any],
        leadingTo address: String?,
        _ texts: Texts
    ) -> Response {
        let values: [String: Any] = [
            "language": texts.language, "style": PageTemplates.style, "title": words.title, "body": words.body,
            "button": words.button ?? "", "hasButton": words.button != nil, "method": "post",
        ]
        // Browsers check a form's redirect against `form-action` (CSP Level 3 §6.4.1).
        let place = address.flatMap(LandingPages.source).map { " " + $0 } ?? ""
        let html = template?.render(values.merging(own) { _, own in own }) ?? ""
        var response = Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .contentSecurityPolicy: (frame + ["form-action 'self'\(place)"]).joined(separator: "; "),
                .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html))
        )
        // With `no-referrer` the form of the page would say `Origin: null` (Fetch §3.1).
        response.headers[our: .referrerPolicy] = "same-origin"
        response.say(in: texts)
        return response
    }
}

extension Texts {
    /// The words of the pages of a logout.
    struct LogoutText: Sendable {
        let ask: PageText
        /// Beside the name of the app that asks.
        let client: String
        let done: PageText
        let refused: PageText
    }
}
