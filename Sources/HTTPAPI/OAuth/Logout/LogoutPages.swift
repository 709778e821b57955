import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// The pages of a logout, which look like the landing pages and have no scripts.
struct LogoutPages: Sendable {
    /// The path of the icons' folder.
    var root = "/"

    enum Page: Sendable, CaseIterable {
        /// The browser is signed out.
        case done
        /// The client's request is invalid.
        case refused
    }

    func render(_ page: Page, in texts: LocalizedStrings) -> Response {
        switch page {
        case .done: .page(.init(texts.page(LogoutPageKey.done)), .ok, formTo: "'self'", in: texts, root: root)
        case .refused:
            .page(.init(texts.page(LogoutPageKey.refused)), .badRequest, formTo: "'self'", in: texts, root: root)
        }
    }

    /// Returns the page that asks the person; once they have agreed, the browser is redirected to `address`.
    func ask(_ client: String?, action: String, leadingTo address: String?, in texts: LocalizedStrings) -> Response {
        var content = LandingContent(texts.page(LogoutPageKey.ask))
        content.details.detailList = client.map { DetailList([(texts[LabelKey.client], $0)]) }
        content.form?.action = action
        // Browsers check a form's redirect against `form-action` (CSP Level 3 §6.4.1).
        let source = address.flatMap(LandingPages.source).map { " " + $0 } ?? ""
        return .page(content, .ok, formTo: "'self'\(source)", in: texts, root: root)
    }
}
