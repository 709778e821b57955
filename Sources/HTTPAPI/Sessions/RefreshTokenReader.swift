import Hummingbird
import Kernel
import Sessions
import SignIn
import TokenReading
import Tokens

/// Reads the refresh token of a request, from the cookie, the header or the body.
struct RefreshTokenReader: Sendable {
    let verifier: TokenVerifier
    /// `nil` without limits, and for OAuth tokens, which are answered `invalid_grant` however often they come (RFC 6749
    /// §5.2).
    let limits: RefreshLimits?
    /// The kind of refresh tokens that is accepted; the other kind is treated as forged.
    let use: RefreshClaims.Use
    let environment: Environment

    /// Returns the token in the refresh cookie, or else the bearer token.
    ///
    /// The cookie has precedence, because it has no other purpose. An app that does not know of its cookies keeps
    /// sending the first token it got as bearer token. Unreadable cookies are ignored, because apps keep old ones.
    func read(_ request: Request, _ cookies: RefreshCookies) async throws(APIError) -> PresentedRefreshToken {
        if let cookie = fromCookie(request, cookies) {
            if let other = fromBearer(request), other.claims.account != cookie.claims.account {
                throw .invalidRequest(
                    "The refresh cookie and the bearer token are of different accounts. Send only one."
                )
            }
            return cookie
        }
        guard let bearer = PresentedToken.bearer(request) else { throw .unauthorized(.noRefreshToken) }
        return try await read(bearer, carrier: .bearer)
    }

    /// Verifies the text as a refresh token.
    func read(_ text: String, carrier: RefreshCarrier) async throws(APIError) -> PresentedRefreshToken {
        do throws(TokenError) {
            return PresentedRefreshToken(text: text, claims: try claims(text), carrier: carrier)
        } catch {
            // An app that repeats another server's token forever has to be stopped too.
            try await limits?.noteForeign(text)
            throw .unauthorized(.badRefreshToken)
        }
    }

    /// Returns the bearer token, if it is a valid refresh token.
    func fromBearer(_ request: Request) -> PresentedRefreshToken? {
        guard let text = PresentedToken.bearer(request),
            let claims = try? claims(text)
        else { return nil }
        return PresentedRefreshToken(text: text, claims: claims, carrier: .bearer)
    }

    /// Returns the token in the refresh cookie, if it is valid.
    func fromCookie(_ request: Request, _ cookies: RefreshCookies) -> PresentedRefreshToken? {
        guard let text = cookies.token(request)?.expose(), let claims = try? claims(text) else { return nil }
        return PresentedRefreshToken(text: text, claims: claims, carrier: .cookie)
    }

    /// Returns the refresh token with that text, if it is valid; counts no failure.
    func found(_ text: String) -> PresentedRefreshToken? {
        guard let claims = try? claims(text) else { return nil }
        return PresentedRefreshToken(text: text, claims: claims, carrier: .bearer)
    }

    private func claims(_ text: String) throws(TokenError) -> RefreshClaims {
        let claims = try verifier.verifyRefresh(text, now: environment.now())
        guard claims.use == use else { throw .wrongType }
        return claims
    }
}

extension RefreshEvidence {
    /// Reads the proofs that come with a refresh token: a device credential in the header, a signature in the body.
    init(_ body: RefreshRequest?, _ request: Request, token: String, at now: Instant) throws(APIError) {
        let (device, signature, count) = (body?.deviceId, body?.deviceSignature, body?.deviceCount)
        let signed = try ClaimedSignature(of: device, signature: signature, count: count, at: now)
        let token = Digest256(sha256: token)
        self.init(
            credential: request.deviceCredential,
            signature: signed.map { Signature(device: $0.device, token: token, count: $0.count, bytes: $0.bytes) }
        )
    }
}
