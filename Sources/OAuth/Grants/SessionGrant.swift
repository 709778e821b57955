package import Kernel

/// What a session that the authorization server opened is limited to: it never changes, and goes with its session.
package struct SessionGrant: Sendable, Equatable {
    package let session: SessionID
    package let clientID: String
    package let scopes: ScopeSet
    /// As in ``AuthorizedGrant/resources``.
    package let resources: [String]
    /// For the id token, where the same answer is given again.
    package let nonce: String?
    /// As in ``AuthorizedGrant/backchannelRequest``.
    package let backchannelRequest: String?
    /// As in ``AuthorizedGrant/identityClaims``.
    package let identityClaims: Set<IdentityClaim>

    package init(
        session: SessionID,
        clientID: String,
        scopes: ScopeSet,
        resources: [String],
        nonce: String?,
        backchannelRequest: String? = nil,
        identityClaims: Set<IdentityClaim> = []
    ) {
        self.session = session
        self.clientID = clientID
        self.scopes = scopes
        self.resources = resources
        self.nonce = nonce
        self.backchannelRequest = backchannelRequest
        self.identityClaims = identityClaims
    }
}

/// Port: where it is kept what sessions are limited to.
package protocol OAuthGrantStore: Sendable {
    func insert(_ grant: SessionGrant, in transaction: borrowing Transaction) throws

    /// `nil` for a session that is gone, or that the authorization server did not open.
    func find(_ session: SessionID) async throws -> SessionGrant?
    func find(_ session: SessionID, in transaction: borrowing Transaction) throws -> SessionGrant?
}
