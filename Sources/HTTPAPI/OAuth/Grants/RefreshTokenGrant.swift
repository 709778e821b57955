import Hummingbird
import Kernel
import OAuth
import Sessions
import SignIn
import Tokens

/// The refresh token grant (RFC 6749 §6), with the token families of RFC 9700 §4.14.2.
struct RefreshTokenGrant: GrantHandler {
    let type = OAuthClient.GrantType.refreshToken
    /// Refreshes sessions, and knows the policies of the authorization server's clients.
    let service: RefreshService
    let reader: RefreshTokenReader
    let grants: any OAuthGrantStore
    let tokens: TokenSet
    let gate: DPoPGate
    let limits: RefreshLimits?

    func answer(_ form: OAuthForm, client authenticated: AuthenticatedClient, request: Request) async throws -> Response
    {
        let client = authenticated.client
        let presented = try await presented(try form.required("refresh_token"))
        // RFC 6749 §5.2: a client that keeps sending a dead token is refused each time without a database read.
        guard limits?.isKnownDead(presented) != true else { throw Self.refusal }
        guard let granted = try await grants.find(presented.claims.session) else {
            try await limits?.countDead(presented)
            throw Self.refusal
        }
        // A token of another client is invalid (RFC 6749 §5.2), and its family stays unchanged (RFC 9700 §4.14.2).
        guard granted.clientID == client.id else { throw Self.refusal }
        // The operator may have withdrawn the client's right to refresh tokens since the sign-in.
        guard client.getsRefreshToken(for: client.leaves(of: granted.scopes)) else {
            throw OAuthError(.invalidGrant, "This client may no longer have tokens without the person.")
        }
        // Checked before the token is replaced, so that a request for too many rights changes nothing.
        let tokenLimits = try TokenLimits(
            of: granted.scopes,
            resources: granted.resources,
            client: client,
            request: TokenLimitsRequest(scope: form["scope"], resources: form.all("resource"))
        )
        try tokens.checkKeys(for: client, granted.scopes)
        let (refreshed, proofKey) = try await refresh(presented, of: client, in: request)
        let issued = try await tokens.refreshed(
            (refreshed, presented),
            of: AuthorizedGrant(granted, of: refreshed.session),
            client: client,
            limits: tokenLimits,
            proofKey: proofKey
        )
        return OAuthReply.tokens(TokenMembers(issued))
    }

    private func presented(_ text: String) async throws -> PresentedRefreshToken {
        do throws(APIError) { return try await reader.read(text, carrier: .bearer) } catch {
            throw error.isUnauthorized ? Self.refusal : error
        }
    }

    /// Refreshes the token, and returns the grant and the thumbprint of the proof's key.
    private func refresh(
        _ presented: PresentedRefreshToken,
        of client: OAuthClient,
        in request: Request
    ) async throws -> (RefreshGrant, Digest256?) {
        let attempt = RefreshAttempt(presented, hasEvidence: DPoPGate.hasProof(request), from: [])
        do throws(APIError) { try await limits?.admit(attempt) } catch {
            // Other daemons have refused it often enough: to this client it is as dead as if this one had.
            throw limits?.isKnownDead(presented) == true ? Self.refusal : error
        }
        let outcome: RefreshOutcome
        let proofKey: Digest256?
        do {
            let key = try gate.tokenKey(request, of: client)
            proofKey = key?.thumbprint
            let command = tokens.refreshCommand(
                for: presented,
                clients: [client.id],
                evidence: RefreshEvidence(proofKey: proofKey)
            )
            outcome = try await service.refresh(command) { try key?.use($0) }
        } catch let problem as APIError {
            await limits?.noteTry(attempt)
            throw problem
        }
        switch outcome {
        case .granted(let grant):
            if grant.isRotation { await limits?.noteRotation(attempt) } else { await limits?.noteTry(attempt) }
            return (grant, proofKey)
        case .refused(.proofRequired), .refused(.boundKeyRequired):
            await limits?.noteTry(attempt)
            // RFC 9449 §5: a public client's refresh token needs a proof of its key.
            throw OAuthError(.invalidGrant, "The refresh token is bound to a key: send a DPoP proof of that key.")
        case .refused(.sessionOver), .refused(.expired), .refused(.superseded), .refused(.reused), .refused(.unknown):
            try await limits?.countDead(presented)
            throw Self.refusal
        }
    }

    /// The same error for all reasons: it reveals neither another client's token nor one that was valid before.
    private static let refusal = OAuthError(
        .invalidGrant,
        "The refresh token is not of this client, has expired or was replaced, or its session has ended."
    )
}
