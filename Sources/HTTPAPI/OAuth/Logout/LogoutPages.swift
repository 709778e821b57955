import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// The pages of a logout: in the form of the landing pages, without any script.
struct LogoutPages: Sendable {
    enum Page: Sendable, CaseIterable {
        /// Nobody is signed in here any more.
        case done
        /// The client's request can't be followed.
        case refused
    }

    private let frame: [String]

    init() {
        frame = [
            "default-src 'none'", "style-src \(LandingPages.hash(of: WebAssets.pageStyle))", "frame-ancestors 'none'",
            "base-uri 'none'",
        ]
    }

    func render(_ page: Page, in texts: LocalizedStrings) -> Response {
        switch page {
        case .done: response(.ok, .init(texts.page(LogoutPageKey.done)), leadingTo: nil, in: texts)
        case .refused: response(.badRequest, .init(texts.page(LogoutPageKey.refused)), leadingTo: nil, in: texts)
        }
    }

    /// The page that asks; `leadingTo`: where the browser goes when the person has said yes.
    func ask(
        _ client: String?,
        action: String,
        leadingTo address: String?,
        in texts: LocalizedStrings
    ) -> Response {
        var content = LandingContent(texts.page(LogoutPageKey.ask))
        content.details.facts = client.map { DetailList([(texts[LabelKey.client], $0)]) }
        content.form?.action = action
        return response(.ok, content, leadingTo: address, in: texts)
    }

    private func response(
        _ status: HTTPResponse.Status,
        _ content: LandingContent,
        leadingTo address: String?,
        in texts: LocalizedStrings
    ) -> Response {
        // Browsers check a form's redirect against `form-action` (CSP Level 3 §6.4.1).
        let place = address.flatMap(LandingPages.source).map { " " + $0 } ?? ""
        var response = Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .contentSecurityPolicy: (frame + ["form-action 'self'\(place)"]).joined(separator: "; "),
                .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: LandingContent.template.render(content, in: texts)))
        )
        // With `no-referrer` the form of the page would say `Origin: null` (Fetch §3.1).
        response.headers[our: .referrerPolicy] = "same-origin"
        response.say(in: texts)
        return response
    }
}
