import HTTPTypes
import Hummingbird
import Kernel
import Operations
import SignIn
import Wire

/// Reads and answers the requests of sign-ins that are not operations.
struct SignInReplies: Sendable {
    let gate: DPoPGate
    let tokens: TokenSet
    let cookies: SignInCookies

    /// Returns the key to which the sign-in binds its tokens; `nil` for bearer tokens.
    ///
    /// Callers check it before they use up a code or challenge, because an invalid proof refuses the sign-in.
    func key(of request: Request) throws(APIError) -> PresentedKey? { try gate.signIn(request)?.presented }

    /// Returns the session's tokens, with the same claims each time.
    func tokens(of opened: OpenedSession) throws -> LoginTokens {
        LoginTokens(try tokens.first(opened.claims, under: opened.policy))
    }

    /// Returns the answer with all members that published apps read: the tokens both nested and flat, and the user.
    func answer(
        _ opened: OpenedSession,
        _ message: String,
        status: HTTPResponse.Status = .ok,
        for request: Request
    ) throws -> Response {
        let pair = try tokens.first(opened.claims, under: opened.policy)
        var response = JSONReply.encode(
            SignInResponse(message: message, user: SignedInUser(opened.person), tokens: LoginTokens(pair)),
            status: status
        )
        cookies.set(
            opened.deviceCookie,
            of: opened.claims.session,
            opened.policy.clientID,
            refreshToken: pair.refresh,
            until: pair.refreshExpiresAt,
            on: &response,
            for: request
        )
        return response
    }
}

extension LoginTokens {
    init(_ pair: TokenPair) {
        self.init(
            accessToken: pair.access.expose(),
            refreshToken: pair.refresh.expose(),
            expiresIn: pair.expiresIn,
            tokenType: pair.type
        )
    }
}
