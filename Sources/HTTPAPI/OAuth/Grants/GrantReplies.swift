import Hummingbird
import Kernel
import OAuth
package import SignIn

/// What a token request proves beside its grant, and how it is answered.
package struct GrantReplies: Sendable {
    private let gate: DPoPGate
    private let tokens: TokenSet

    package init(gate: DPoPGate, tokens: TokenSet) {
        self.gate = gate
        self.tokens = tokens
    }

    /// The key that tokens of this request are to be bound to; `nil` for bearer tokens.
    ///
    /// To be read before anything is used up, since an invalid proof refuses the request.
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, also for a client that has to send one and does not (RFC 9449 §5.2);
    ///   ``APIError`` where the server has no room for more of them.
    func key(of request: Request, client: OAuthClient) throws -> PresentedKey? {
        let proof = try gate.atTokenEndpoint(request)
        guard proof != nil || !client.requiresDPoP else {
            throw OAuthError(.invalidDPoPProof, "This client has to send a DPoP proof with each token request.")
        }
        return proof?.presented
    }

    /// The answer of the token endpoint (RFC 6749 §5.1): the same tokens each time.
    func answer(_ opened: OpenedGrant, client: OAuthClient, request: TokenLimitsRequest) async throws -> Response {
        OAuthReply.tokens(TokenMembers(try await tokens.first(opened, client, request: request)))
    }

    /// The same members, for a client that they are pushed to (CIBA Core §10.3.1).
    func pushed(_ opened: OpenedGrant, client: OAuthClient) async throws -> TokenMembers {
        TokenMembers(try await tokens.first(opened, client, isPushed: true))
    }
}
