package import Kernel

/// A valid device authorization request (RFC 8628 §3.1).
package struct DeviceFlowRequest: Sendable, Equatable {
    let access: RequestedAccess
    let origin: DeviceAuthorization.Origin
    let source: Digest256

    /// Checks the `scope` and the `resources` of a request, as received, against the client's registration.
    ///
    /// - Throws: ``OAuthError`` for a client that may not use the grant, or may not have these scopes or resources.
    package init(
        scope: String?,
        resources: [String],
        by client: OAuthClient,
        from origin: DeviceAuthorization.Origin,
        source: Digest256
    ) throws(OAuthError) {
        guard client.access.grants.contains(.deviceCode) else {
            throw OAuthError(.unauthorizedClient, "This client may not use the device authorization grant.")
        }
        // RFC 6749 §3.3: a request without `scope` gets no scopes.
        guard let scopes = ScopeSet(parsing: scope ?? ""), scopes.isSubset(of: client.access.scopes) else {
            throw OAuthError(.invalidScope, "The client may not have such a scope.")
        }
        guard resources.count <= Self.mostResources, resources.allSatisfy(client.access.resources.contains) else {
            throw OAuthError(.invalidTarget, "The client may not have tokens for such a resource.")
        }
        access = RequestedAccess(clientID: client.id, scopes: scopes, resources: resources)
        self.origin = origin
        self.source = source
    }

    private static let mostResources = 16
}
