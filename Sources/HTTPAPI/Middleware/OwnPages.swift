import HTTPTypes
import Hummingbird

/// Tells whether a form or a script of this server's own pages has sent a request.
struct OwnPages: Sendable {
    private let origin: String

    init(publicURL: String) {
        origin = publicURL.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    /// Returns whether the browser names an own page as the POST's origin: by Fetch Metadata first, else by Origin.
    ///
    /// A request with neither does not come from a browser.
    func sent(_ request: Request) -> Bool {
        if let site = request.headers[our: .secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin] else { return true }
        return origin == self.origin
    }
}
