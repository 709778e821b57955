import Kernel

/// The access that a client asks a person for, and that the person's approval makes a grant.
package struct RequestedAccess: Sendable, Equatable {
    package let clientID: String
    package let scopes: ScopeSet
    /// The resources that tokens may be for (RFC 8707); empty: the client's own audience.
    package let resources: [String]

    package init(clientID: String, scopes: ScopeSet, resources: [String]) {
        self.clientID = clientID
        self.scopes = scopes
        self.resources = resources
    }

    /// Returns the grant of the person who has approved it.
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
