package import Kernel

/// The limits of a session that the authorization server opened.
///
/// They never change and are deleted with the session.
package struct SessionGrant: Sendable, Equatable {
    package let session: SessionID
    package let clientID: String
    package let scopes: ScopeSet
    /// The resources as in ``AuthorizedGrant/resources``.
    package let resources: [String]
    /// The nonce of the id token, kept for a repeated answer.
    package let nonce: String?
    /// The backchannel request as in ``AuthorizedGrant/backchannelRequest``.
    package let backchannelRequest: String?
    /// The claims as in ``AuthorizedGrant/identityClaims``.
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

/// Port: stores the grants of sessions.
package protocol OAuthGrantStore: Sendable {
    func insert(_ grant: SessionGrant, in transaction: borrowing Transaction) throws

    /// Returns the grant of a session; `nil` if the session does not exist or the authorization server did not open it.
    func find(_ session: SessionID) async throws -> SessionGrant?
    func find(_ session: SessionID, in transaction: borrowing Transaction) throws -> SessionGrant?
}
