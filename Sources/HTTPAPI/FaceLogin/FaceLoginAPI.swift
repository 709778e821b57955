import HTTPTypes
import Hummingbird
import Kernel
import Operations
import SignIn

/// The routes of the face login: initiate, poll, events, acknowledge, cancel, and the landing page.
///
/// It is a class, because each request would copy a structure and retain all its services.
final class FaceLoginAPI: Sendable {
    let surface: AccountSurface
    let replies: SignInReplies
    let callers: CallerReader
    let environment: Environment
    let server: ServerConfiguration
    let following: Following
    let proofs: LandingProofs
    let pages: LandingPages

    init(
        surface: AccountSurface,
        replies: SignInReplies,
        callers: CallerReader,
        environment: Environment,
        server: ServerConfiguration,
        following: Following,
        proofs: LandingProofs,
        pages: LandingPages
    ) {
        self.surface = surface
        self.replies = replies
        self.callers = callers
        self.environment = environment
        self.server = server
        self.following = following
        self.proofs = proofs
        self.pages = pages
    }

    /// The operation's id is enough to receive `pending`, but a login's result requires one of these proofs.
    private static let collecting = OpenAccess.everybody(accepting: .codeVerifier, .bindingCookie, .dpop)
    private static let watching = OpenAccess.everybody(accepting: .codeVerifier, .bindingCookie)
    private static let proving = GuestAccess.token(or: .codeVerifier, .bindingCookie)
    private static let pageAccess = OpenAccess.holder(of: .ticket, accepting: .browserCookie, .bindingCookie)
    private static let looking = OpenAccess.holder(
        of: .ticket,
        accepting: .browserCookie,
        .bindingCookie,
        .interactionCookie
    )
    /// For a client that is not the operator's own, the browser has to prove the account, if necessary on the sign-in
    /// page.
    private static let opening = OpenAccess.holder(
        of: .ticket,
        accepting: .browserCookie,
        .bindingCookie,
        .deviceCookie,
        .interactionCookie,
        .webSession
    )
    private static let confirming = OpenAccess.holder(
        of: .ticket,
        accepting: .credentials,
        .browserCookie,
        .bindingCookie
    )

    var routes: [Route] {
        let api = [
            Route(
                .post,
                "/auth/biometric-login/initiate",
                access: .everybody(accepting: .deviceCookie, .deviceCredential),
                use: initiate
            ),
            Route(
                .get,
                "/auth/biometric-login/poll/{operationId}",
                access: Self.collecting,
                interceptor: intercept,
                use: poll
            ),
            Route(.post, "/auth/biometric-login/poll/{operationId}", access: Self.collecting, use: poll),
            Route(.get, "/auth/biometric-login/events/{operationId}", access: Self.watching, use: events),
            Route(.post, "/auth/biometric-login/ack/{operationId}", access: Self.proving, use: acknowledge),
            Route(.post, "/auth/biometric-login/cancel/{operationId}", access: Self.proving, use: cancel),
        ]
        let pages =
            Route.document("/go/{ticket}", access: Self.looking, use: showLanding)
            + Route.document("/go/{ticket}/return/{secret}", access: .holder(of: .ticket), use: showReturn)
        let landing = [
            Route(.get, "/go/{ticket}/events", access: .holder(of: .browserCookie), use: scanEvents),
            Route(.post, "/go/{ticket}", access: Self.opening, use: open),
            Route(.post, "/go/{ticket}/passkey/options", access: Self.pageAccess, use: beginConfirmation),
            Route(.post, "/go/{ticket}/passkey", access: Self.confirming, use: confirm),
            Route(.post, "/go/{ticket}/not-me", access: .holder(of: .ticket), use: deny),
            Route(.post, "/go/{ticket}/return/{secret}", access: Self.pageAccess, use: returnToApp),
        ]
        return api.alsoUnderAPI + pages + landing
    }

    var service: OperationService { following.service }

    var isSecure: Bool { server.isSecure }
}

/// Ways for the landing page to ask a browser for proof of the account, including a sign-in.
struct LandingProofs: Sendable {
    /// The passkey ceremonies; `nil` where passkeys are off.
    let passkeys: PasskeyCeremonies?
    /// Tells which account a browser proves to belong to.
    let accounts: AccountProofs
    /// The sign-in page for a browser that proves no account yet; `nil` without such a page.
    let signIn: PageSignIn?
}
