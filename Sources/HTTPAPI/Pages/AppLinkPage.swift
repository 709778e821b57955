import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// The page that sends a browser on into an app by the app's own scheme.
///
/// After a redirect to a scheme that no app has, browsers show nothing, or an error of their own.
enum AppLinkPage {
    /// The content of `pages/app-link.mustache`.
    struct Content: Sendable {
        let title: String
        let lead: String
        let address: String
        let missing: String
        /// The way on without the app.
        let without: String
    }

    /// What ends where the app begins, which decides on the way on without the app.
    enum Ending: Sendable {
        /// A login whose result its app collects, wherever the person began.
        case login
        /// A login that only the app on this device can collect.
        case loginInApp
        case cardsAdded, cardsNotAdded
    }

    private static let template = PageTemplate<Content>("app-link")

    /// Returns the page for a browser and an app's own scheme, and otherwise the redirect.
    static func onward(
        to address: String,
        ending: Ending,
        for request: Request,
        in texts: LocalizedStrings
    ) -> Response {
        guard isShown(to: request), isOwnScheme(address) else { return .seeOther(address) }
        return page(to: address, .ok, ending: ending, in: texts)
    }

    /// Returns the redirect, which for an app's own scheme has the page as its content.
    ///
    /// Browsers that don't follow a redirect to an app show it (RFC 9110 §15.4.4). Clients read the header alone.
    static func redirect(to address: String, ending: Ending, in texts: LocalizedStrings) -> Response {
        guard isOwnScheme(address) else { return .seeOther(address) }
        var response = page(to: address, .seeOther, ending: ending, in: texts)
        response.headers[.location] = address
        return response
    }

    private static func page(
        to address: String,
        _ status: HTTPResponse.Status,
        ending: Ending,
        in texts: LocalizedStrings
    ) -> Response {
        let content = Content(
            title: texts[AppLinkKey.title],
            lead: texts[AppLinkKey.lead],
            address: address,
            missing: texts[AppLinkKey.missing],
            without: texts[key(of: ending)]
        )
        let markup = ByteBuffer(string: template.render(content, in: texts))
        // The address is a bearer secret. Without a form, nothing is passed on as a referrer.
        let policy = Response.scriptless(formTo: "'none'", under: texts.brand)
        return .page(markup, status, policy: policy, in: texts, hasForm: false)
    }

    /// Whether a person sees the answer: a program gets the redirect.
    private static func isShown(to request: Request) -> Bool {
        request.headers[.accept]?.lowercased().contains("text/html") ?? false
    }

    /// Whether the address has a scheme that an app may have registered (RFC 8252 §7.1).
    static func isOwnScheme(_ address: String) -> Bool {
        guard LandingPages.source(of: address) != nil, let end = address.firstIndex(of: ":") else { return false }
        return !foreign.contains(address[..<end].lowercased())
    }

    /// The schemes that belong to browsers.
    private static let foreign: Set<String> = [
        "http", "https", "about", "blob", "data", "file", "filesystem", "ftp", "javascript", "vbscript", "view-source",
        "ws", "wss",
    ]

    private static func key(of ending: Ending) -> AppLinkKey {
        switch ending {
        case .login: .withoutLogin
        case .loginInApp: .withoutLoginInApp
        case .cardsAdded: .withoutCards
        case .cardsNotAdded: .withoutCardsFailed
        }
    }
}
