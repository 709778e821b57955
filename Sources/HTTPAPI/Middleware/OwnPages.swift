import HTTPTypes
import Hummingbird

/// Tells whether a request comes from a form or a script of this server's own pages.
struct OwnPages: Sendable {
    private let origin: String

    init(publicURL: String) {
        origin = publicURL.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    /// Returns whether this server's own page sent the POST, according to Sec-Fetch-Site or, without it, Origin.
    ///
    /// A request with neither header does not come from a browser.
    func sent(_ request: Request) -> Bool {
        if let site = request.headers[our: .secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin] else { return true }
        return origin == self.origin
    }

    /// Returns whether a browser says that this server's own page sent the POST.
    ///
    /// A program that sends neither header has no page, and a person who presses nothing.
    func surelySent(_ request: Request) -> Bool {
        if let site = request.headers[our: .secFetchSite] { return site == "same-origin" }
        return request.headers[.origin] == origin
    }
}
