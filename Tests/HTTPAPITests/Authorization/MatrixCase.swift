import HTTPAPI
import HTTPTypes
import HummingbirdTesting
import Kernel

/// How the matrix calls a route.
struct MatrixCase: Sendable {
    /// The credential that opens it.
    enum Credential: Sendable, Equatable {
        /// Nothing: everybody is answered.
        case nothing
        /// An access token, as bearer.
        case access
        /// A refresh token, in that location.
        case refresh(RefreshLocation)
        /// A secret that the request has anyway; `ofAccount`: invalid once the account is disabled.
        case inRequest(ofAccount: Bool)
    }

    /// The location of a refresh token in a request.
    enum RefreshLocation: Sendable, Equatable {
        case bearer, body, cookie
    }

    /// The owner of what the request is about.
    enum Subject: Sendable {
        /// The bearer of the token, and nobody else.
        case bearer
        /// An account, whichever of its sessions asks.
        case account
        /// One session, or one device.
        case session
    }

    /// Method and template, without `/api` where the route exists with and without.
    let route: String
    let credential: Credential
    /// Route and variant, which no other case has both.
    var id: String { route + " " + variant }
    /// Tells apart the ways to call one route; empty for the usual one.
    var variant = ""
    var subject = Subject.bearer
    /// The status of the answer to the right credential.
    var status = 200
    var client = "bbms"
    var isEnrolled = true
    var hasPassword = false
    /// Whether a sign-in of long ago is refused by the handler.
    var refusesStale = false
    /// The status for a sign-in of long ago where it is refused.
    var staleStatus = 403
    /// Whether the credential is in the location of an access token.
    var isBearer = false
    let prepare: @Sendable (MatrixContext) async throws -> MatrixRequest

    init(
        _ route: String,
        _ credential: Credential,
        _ prepare: @escaping @Sendable (MatrixContext) async throws -> MatrixRequest
    ) {
        self.route = route
        self.credential = credential
        self.prepare = prepare
    }

    func called(_ variant: String) -> MatrixCase { changed { $0.variant = variant } }
    func about(_ subject: Subject) -> MatrixCase { changed { $0.subject = subject } }
    func answered(_ status: Int) -> MatrixCase { changed { $0.status = status } }
    var ofWallet: MatrixCase { changed { $0.client = "mwsim" } }
    var withoutFace: MatrixCase { changed { $0.isEnrolled = false } }
    var withPassword: MatrixCase { changed { $0.hasPassword = true } }
    var asBearer: MatrixCase { changed { $0.isBearer = true } }
    func refusingStale(with status: Int) -> MatrixCase { changed { $0.staleStatus = status } }
    var refusingStale: MatrixCase { changed { $0.refusesStale = true } }

    private func changed(_ change: (inout MatrixCase) -> Void) -> MatrixCase {
        var copy = self
        change(&copy)
        return copy
    }

    /// The expected outcome of the column; `nil` where it is the same as another.
    func expectation(_ column: MatrixColumn, _ access: Access) -> MatrixExpectation? {
        switch credential {
        // A route that needs more than the matrix presents refuses everybody alike.
        case .nothing: return status < 400 ? .granted : .refusedWith(status)
        case .inRequest:
            guard column != .besideBad || !isBearer else { return nil }
            guard column == .right || column == .besideBad else { return .refused }
            // A form that says something wrong in the right browser is told so.
            return status < 400 ? .granted : .refusedWith(status)
        case .refresh: return ofRefresh(column, access)
        case .access: return ofAccess(column, access)
        }
    }

    private func ofRefresh(_ column: MatrixColumn, _ access: Access) -> MatrixExpectation? {
        switch column {
        case .right, .stale: .granted
        case .otherAccount, .otherDevice: subject == .session ? .refused : .granted
        case .otherClient: subject == .session || access.refreshTokens?.audience == .wallet ? .refused : .granted
        case .besideBad, .limited: nil
        case .noToken, .wrongType, .expired, .revoked, .disabled, .foreignAudience, .wrongAudience, .wrongTyp,
            .thirdParty, .unprovenKey:
            .refused
        }
    }

    private func ofAccess(_ column: MatrixColumn, _ access: Access) -> MatrixExpectation? {
        var unknown = MatrixExpectation.refused
        var stale = refusesStale ? MatrixExpectation.refusedWith(403) : .granted
        if case .session(let session) = access {
            unknown = .refusedWith(401)
            stale = session.recency == .any ? .granted : .refusedWith(staleStatus)
        }
        switch column {
        case .right: return .granted
        case .besideBad: return nil
        case .otherAccount: return subject == .bearer ? .granted : .refused
        case .otherDevice: return subject == .session ? .refused : .granted
        case .otherClient:
            guard access.tokens?.audience == .everyClient else { return unknown }
            return subject == .session ? .refused : .granted
        case .stale: return stale
        // RFC 6750 §3.1: where scopes are asked for, a token with other scopes is valid and insufficient.
        case .limited where access.tokens?.scopes == MatrixTokens.limitedTo: return .granted
        case .limited where access.tokens?.scopes.isEmpty == false: return .refusedWith(403)
        case .wrongType where access.needed.union(access.accepted).contains(.refreshToken): return .granted
        case .noToken, .wrongType, .expired, .revoked, .disabled, .foreignAudience, .wrongAudience, .wrongTyp,
            .thirdParty, .limited, .unprovenKey:
            return unknown
        }
    }
}

/// The material from which a case makes its request.
struct MatrixContext: Sendable {
    let harness: Harness
    let person: MatrixPerson
    /// The right access token of the person.
    let token: String
    /// Whether the request is to have the credential that opens the route, where that is not a token.
    let isProved: Bool

    var bearer: HTTPFields { .bearing(token) }
    /// A secret of the usual form that was never issued.
    static let guess = String(repeating: "A", count: 43)
}

/// A request of the matrix, but for its token.
struct MatrixRequest: Sendable {
    /// The path instead of the template; for a route that exists twice without `/api`.
    var path: String
    var headers: HTTPFields = [:]
    var body: String?
    /// The session whose token is the right one, where it is not the person's.
    var session: MatrixSession?
    /// Whether the answer gives what the route guards; by default any success does.
    var isGranted: @Sendable (TestResponse) async throws -> Bool = { $0.status.code < 400 }

    init(_ path: String, _ headers: HTTPFields = [:], json body: String? = nil) {
        self.path = path
        self.headers = headers
        self.body = body
        if body != nil { self.headers[.contentType] = "application/json" }
    }
}
