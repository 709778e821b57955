import HTTPTypes
import Hummingbird

/// Tells whether a form or a script of this server's own pages has sent a request.
struct OwnPages: Sendable {
    private let origin: String

    init(publicURL: String) {
        origin = publicURL.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    /// A browser says where a POST comes from: Fetch Metadata first, else Origin.
    ///
    /// One with neither is no browser.
    func sent(_ request: Request) -> Bool {
        if let site = request.headers[our: .secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin] else { return true }
        return origin == self.origin
    }
}
