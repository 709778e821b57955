package import Kernel
package import OAuth
import Sessions

/// An authorization code as a token request presents it (RFC 6749 §4.1.3, RFC 7636 §4.5).
package struct PresentedCode: Sendable {
    let code: String
    let redirectURI: String?
    let verifier: String?

    package init(code: String, redirectURI: String?, verifier: String?) {
        self.code = code
        self.redirectURI = redirectURI
        self.verifier = verifier
    }
}

/// Turns authorization codes into sessions: the code is used up in the unit of work that opens its session.
package struct CodeRedemption: Sendable {
    private let authorization: AuthorizationService
    private let door: Door
    private let unitOfWork: any UnitOfWork

    package init(authorization: AuthorizationService, door: Door, unitOfWork: any UnitOfWork) {
        self.authorization = authorization
        self.door = door
        self.unitOfWork = unitOfWork
    }

    /// Opens the session of a code, and returns the limits that the request sets to its access token.
    ///
    /// `key`: returns the key that binds the tokens. It is called once the code is known to be the client's, before
    /// anything else of the request is read.
    ///
    /// A replayed code ends the session that it opened, since two callers hold it (RFC 6749 §4.1.2, RFC 9700 §4.5.3).
    /// - Throws: ``OAuthError``; the errors of ``PresentedKey/use``; ``StoreError``.
    package func redeem(
        _ code: PresentedCode,
        by authenticated: AuthenticatedClient,
        request: TokenLimitsRequest,
        key: () throws -> PresentedKey?
    ) async throws -> (opened: OpenedGrant, limits: TokenLimits) {
        try await authorization.requireIssued(code.code, to: authenticated)
        let key = try key()
        do {
            return try await unitOfWork.run { [authorization, door] transaction in
                let redeemed = try authorization.redeem(
                    code: code.code,
                    by: authenticated,
                    redirectURI: code.redirectURI,
                    verifier: code.verifier,
                    proofKey: key?.thumbprint,
                    in: transaction
                )
                let limits = try redeemed.grant.limits(request, of: authenticated.client)
                let opened = try door.open(redeemed.grant, client: authenticated.client, key: key, in: transaction)
                try authorization.note(session: opened.session, for: redeemed.code, in: transaction)
                return (opened, limits)
            }
        } catch let replay as CodeReplayedError {
            if let session = replay.session { try await door.end(session, because: .refreshReuse) }
            throw CodeReplayedError.answer
        }
    }
}

extension AuthorizedGrant {
    /// Returns the limits that a token request sets within what was granted.
    ///
    /// - Throws: ``OAuthError`` `invalid_scope`, `invalid_target`.
    func limits(_ request: TokenLimitsRequest, of client: OAuthClient) throws(OAuthError) -> TokenLimits {
        try TokenLimits(of: scopes, resources: resources, client: client, request: request)
    }
}
