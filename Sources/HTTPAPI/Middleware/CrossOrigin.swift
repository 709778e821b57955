import HTTPTypes
import Hummingbird

/// Which web pages' scripts may call this server and read its answers (the Fetch standard's CORS protocol), by an exact
/// list of origins.
///
/// Apps send no Origin and are not concerned. A page of this server's own is not either. A listed origin may call with
/// cookies and read the answer. Any other may read nothing, and change nothing: its preflights, and its requests that are
/// not GET or HEAD, are refused. So is the origin `null`, which every sandboxed frame has.
///
/// The authorization endpoint and the pages behind it are for browsers that go there: for no origin's scripts, listed or not.
/// The answer by form (`response_mode=form_post`) has the code in its page (RFC 9700 §2.6).
package struct CrossOrigin: Sendable {
    private let listed: Set<String>
    private let own: String
    private let ownScheme: String

    /// `origins`: those that may call, as browsers send them; `publicURL`: where this server's own pages are.
    package init(origins: [String], publicURL: String) {
        listed = Set(origins)
        own = publicURL.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
        ownScheme = String(own.prefix { $0 != ":" })
    }

    /// Whose page a request comes from.
    enum Caller: Equatable {
        /// No page's, or one of this server.
        case unconcerned
        case listed(String)
        case unlisted
    }

    func caller(of request: Request) -> Caller {
        let fields = request.headers[values: .origin]
        guard let origin = fields.first else {
            // A page's navigation may go without Origin; where it comes from its browser says all the same.
            let site = request.headers[our: .secFetchSite]
            return site == "cross-site" || site == "same-site" ? .unlisted : .unconcerned
        }
        guard fields.count == 1 else { return .unlisted }
        if listed.contains(origin), !Self.isVisited(request.uri.path) { return .listed(origin) }
        return isOwn(origin, request) ? .unconcerned : .unlisted
    }

    /// The answer to a preflight, and `nil` for what goes on to its route.
    ///
    /// - Throws: ``APIError/originNotAllowed`` for a stranger's preflight, and for a stranger that means to change something.
    func answer(to request: Request, of caller: Caller) throws -> Response? {
        let isPreflight =
            request.method == .options && request.headers[.accessControlRequestMethod] != nil
            && request.headers[.origin] != nil
        switch caller {
        case .unconcerned: return nil
        case .listed:
            guard isPreflight else { return nil }
            return Response(
                status: .noContent,
                headers: [
                    .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
                    .accessControlAllowHeaders: Self.requestHeaders,
                    .accessControlMaxAge: "600",
                ]
            )
        case .unlisted:
            if isPreflight { throw APIError.originNotAllowed }
            // The landing page has a check, and an answer, of its own: browsers call its form's origin null. A client's page
            // may send its visitor here by a form: to a logout, which signs out nobody who is not certain to be meant, and
            // to the authorization endpoint, where a form does no more than an address.
            guard request.method != .get, request.method != .head, !request.uri.path.hasPrefix("/go/"),
                !Self.openToForms.contains(request.uri.path)
            else { return nil }
            throw APIError.originNotAllowed
        }
    }

    /// Lets a listed origin read the answer; tells caches that answers differ by origin, where they do.
    func mark(_ response: inout Response, for caller: Caller) {
        guard !listed.isEmpty else { return }
        response.headers[.vary] = response.headers[.vary].map { $0 + ", Origin" } ?? "Origin"
        guard case .listed(let origin) = caller else { return }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlAllowCredentials] = "true"
        response.headers[.accessControlExposeHeaders] = "Retry-After, WWW-Authenticate, X-Request-Id"
    }

    /// By the config, by the browser's own word, or by the name that the browser asked for.
    ///
    /// The scheme is the config's: whoever sits in the network can be anybody's `http:` page.
    private func isOwn(_ origin: String, _ request: Request) -> Bool {
        if origin == own { return true }
        if let site = request.headers[our: .secFetchSite] { return site == "same-origin" }
        guard let authority = request.head.authority, !authority.isEmpty else { return false }
        return origin == "\(ownScheme)://\(authority)"
    }

    /// Whether that path is of the authorization endpoint or the pages behind it, in whatever way it has its slashes.
    private static func isVisited(_ path: String) -> Bool {
        let parts = path.split(separator: "/").prefix(2).map { String($0) }
        if parts.first == "authorize" || parts.first == "device" { return true }
        return parts.count == 2 && parts[0] == "oauth" && visited.contains(parts[1])
    }

    private static let visited: Set<String> = ["authorize", "sign-in", "logout", "upstream"]

    /// What pages of clients may send forms to (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2).
    private static let openToForms: Set<String> = ["/oauth/authorize", "/authorize", "/oauth/logout"]

    /// What requests of this API carry, by name: no wildcard goes with credentials.
    private static let requestHeaders = [
        "Authorization", "Cache-Control", "Content-Type", "DPoP", "Idempotency-Key", "Last-Event-ID", "Pragma",
        "X-Client-Id", "X-Code-Verifier", "X-Device-Credential", "X-Poll-Timestamp", "X-Return-Code",
    ].joined(separator: ", ")
}
