import HTTPTypes
import Hummingbird
import Kernel
import Operations
package import SignIn
import Wire

/// What a sign-in without an operation reads of its request, and how it is answered.
package struct SignInReplies: Sendable {
    private let gate: DPoPGate
    private let tokens: TokenSet
    private let cookies: SignInCookies

    package init(gate: DPoPGate, tokens: TokenSet, cookies: SignInCookies) {
        self.gate = gate
        self.tokens = tokens
        self.cookies = cookies
    }

    /// The key that a sign-in by that request binds its tokens to; `nil` for bearer tokens.
    ///
    /// To be read before anything is used up, since an invalid proof refuses the sign-in.
    func key(of request: Request) throws(APIError) -> PresentedKey? { try gate.signIn(request)?.presented }

    /// The session's tokens: the same claims each time.
    func tokens(of opened: OpenedSession) throws -> LoginTokens {
        LoginTokens(try tokens.first(opened.claims, under: opened.policy))
    }

    /// Sets the cookie that proves the device on an answer that has no tokens.
    func setDeviceCookie(of opened: OpenedSession, on response: inout Response, for request: Request) {
        cookies.setDevice(opened.deviceCookie, of: opened.claims.session, on: &response, for: request)
    }

    /// The answer that every app in the field finds its members in: tokens both nested and flat, and who signed in.
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
