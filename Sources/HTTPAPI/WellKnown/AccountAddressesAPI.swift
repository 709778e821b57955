import HTTPTypes
import Hummingbird

/// The well-known addresses that lead password managers and browsers to a person's own settings.
struct AccountAddressesAPI: Sendable {
    /// The page where people change their means of signing in, the best one first.
    enum Page: String, CaseIterable, Sendable {
        case account = "/account"
        case passkeys = "/passkeys"
        case signIn = "/login.html"

        /// The part of the page that changes the password, as a fragment.
        var password: String { self == .account ? "/account#password" : rawValue }
    }

    private let publicURL: String
    private let page: Page?
    private let servesPasskeys: Bool

    /// - Parameters:
    ///   - publicURL: The public address, without a trailing slash.
    ///   - routes: All other routes, which tell the pages that are served.
    ///   - servesPasskeys: Whether anybody can sign in with a passkey.
    init(publicURL: String, among routes: [Route], servesPasskeys: Bool) {
        self.publicURL = publicURL
        self.servesPasskeys = servesPasskeys
        page = Page.allCases.first { page in
            routes.contains { $0.method == .get && $0.template == page.rawValue }
        }
    }

    /// The address for passwords is served only where a page is, since its absence is how browsers learn of none.
    var routes: [Route] {
        let endpoints =
            servesPasskeys
            ? Route.document("/.well-known/passkey-endpoints", access: .everybody, use: showEndpoints) : []
        guard let page else { return endpoints }
        return endpoints
            + Route.document("/.well-known/change-password", access: .everybody) { [publicURL] _, _ in
                .seeOther(publicURL + page.password)
            }
    }

    private struct Endpoints: Encodable {
        let enroll: String?
        let manage: String?
    }

    /// `GET|HEAD /.well-known/passkey-endpoints` (W3C, A Well-Known URL for Relying Party Passkey Endpoints).
    ///
    /// An object without members tells that passkeys are accepted, and that no page is for them.
    private func showEndpoints(_ request: Request, _ context: APIContext) async throws -> Response {
        let address = page.map { publicURL + $0.rawValue }
        var response = JSONReply.encode(Endpoints(enroll: address, manage: address))
        response.headers[.cacheControl] = "public, max-age=3600"
        return response
    }
}
