import Kernel

/// The access that a client asks a person for.
///
/// With the person's approval it becomes a grant.
package struct RequestedAccess: Sendable, Equatable {
    package let clientID: String
    package let scopes: ScopeSet
    /// The resources for which tokens may be issued (RFC 8707).
    ///
    /// If empty, tokens are for the client's own audience.
    package let resources: [String]

    package init(clientID: String, scopes: ScopeSet, resources: [String]) {
        self.clientID = clientID
        self.scopes = scopes
        self.resources = resources
    }

    /// Returns the grant of the person who has approved this access.
    ///
    /// `backchannelRequest`: see ``AuthorizedGrant/backchannelRequest``.
    func granted(
        by account: AccountID,
        _ authentication: AuthenticationContext,
        backchannelRequest: String? = nil
    ) -> AuthorizedGrant {
        AuthorizedGrant(
            account: account,
            clientID: clientID,
            scopes: scopes,
            resources: resources,
            authentication: authentication,
            backchannelRequest: backchannelRequest
        )
    }
}
