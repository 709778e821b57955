import HTTPTypes
import Hummingbird

/// The web pages whose scripts may call this server and read its answers (the Fetch standard's CORS protocol), by an
/// exact list of origins.
///
/// Apps send no Origin, and this server's own pages need no permission: the list affects neither. A listed origin may
/// call with cookies and read the answer. Unlisted origins may read and change nothing: their preflights are refused,
/// and so are all their requests but GET and HEAD. The origin `null`, which every sandboxed frame has, counts as
/// unlisted.
///
/// Browsers navigate to the authorization endpoint, the pages behind it and an account's pages, and no origin's scripts
/// may call them, listed or not. The page of `response_mode=form_post` contains the authorization code (RFC 9700 §2.6).
struct CrossOrigin: Sendable {
    private let listed: Set<String>
    private let own: String
    private let ownScheme: String

    /// - Parameters:
    ///   - origins: The origins that may call, as browsers send them.
    ///   - publicURL: The address of this server's own pages.
    init(origins: [String], publicURL: String) {
        listed = Set(origins)
        own = publicURL.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
        ownScheme = String(own.prefix { $0 != ":" })
    }

    /// The origin of the page that a request comes from.
    enum Caller: Equatable {
        /// No page, or a page of this server.
        case unconcerned
        case listed(String)
        case unlisted
    }

    func caller(of request: Request) -> Caller {
        let fields = request.headers[values: .origin]
        guard let origin = fields.first else {
            // A navigation may have no Origin, but Sec-Fetch-Site still tells whether it comes from another site.
            let site = request.headers[our: .secFetchSite]
            return site == "cross-site" || site == "same-site" ? .unlisted : .unconcerned
        }
        guard fields.count == 1 else { return .unlisted }
        if listed.contains(origin), !Self.isNavigated(request.uri.path) { return .listed(origin) }
        return isOwn(origin, request) ? .unconcerned : .unlisted
    }

    /// Returns the answer to a preflight, or `nil` for a request that continues to its route.
    ///
    /// - Throws: ``APIError/originNotAllowed`` for an unlisted origin's preflight or state-changing request.
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
            // The landing page checks its form itself, because browsers send the origin `null` with it. Two paths
            // accept forms of clients' pages. A logout asks the person in doubt, and the authorization endpoint does no
            // more for a form than for a link.
            guard request.method != .get, request.method != .head, !request.uri.path.hasPrefix("/go/"),
                !Self.openToForms.contains(request.uri.path)
            else { return nil }
            throw APIError.originNotAllowed
        }
    }

    /// Lets a listed origin read the answer, and tells caches that answers differ by origin if any origin is listed.
    func mark(_ response: inout Response, for caller: Caller) {
        guard !listed.isEmpty else { return }
        response.headers[.vary] = response.headers[.vary].map { $0 + ", Origin" } ?? "Origin"
        guard case .listed(let origin) = caller else { return }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlAllowCredentials] = "true"
        response.headers[.accessControlExposeHeaders] = "Retry-After, WWW-Authenticate, X-Request-Id"
    }

    /// Returns whether the origin is this server's: by the config, by `Sec-Fetch-Site`, or by the request's host.
    ///
    /// The scheme comes from the config: an attacker in the network can serve an `http:` page under any name.
    private func isOwn(_ origin: String, _ request: Request) -> Bool {
        if origin == own { return true }
        if let site = request.headers[our: .secFetchSite] { return site == "same-origin" }
        guard let authority = request.head.authority, !authority.isEmpty else { return false }
        return origin == "\(ownScheme)://\(authority)"
    }

    /// Returns whether the path belongs to the authorization endpoint, the pages behind it or an account's pages, with any
    /// number of slashes.
    private static func isNavigated(_ path: String) -> Bool {
        let parts = path.split(separator: "/").prefix(2).map { String($0) }
        if let first = parts.first, ["authorize", "device", "account"].contains(first) { return true }
        return parts.count == 2 && parts[0] == "oauth" && navigated.contains(parts[1])
    }

    /// The second parts of the paths below `/oauth` that browsers open.
    static let navigated: Set<String> = ["authorize", "sign-in", "logout", "upstream"]

    /// The paths to which clients' pages may send forms (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2).
    private static let openToForms: Set<String> = ["/oauth/authorize", "/authorize", "/oauth/logout"]

    /// The headers that this API reads, named one by one: a wildcard is invalid with credentials.
    private static let requestHeaders = [
        "Authorization", "Cache-Control", "Content-Type", "DPoP", "Idempotency-Key", "Last-Event-ID", "Pragma",
        "X-Client-Id", "X-Code-Verifier", "X-Device-Credential", "X-Poll-Timestamp", "X-Return-Code",
    ].joined(separator: ", ")
}
