/// The error codes of the OAuth protocols that clients are told.
///
/// (RFC 6749 §4.1.2.1 and §5.2, RFC 7009 §2.2.1, RFC 7591 §3.2.2, RFC 8628 §3.5, RFC 8707 §2, RFC 9126 §2.3, RFC 9449 §5,
/// OpenID Connect Core §3.1.2.6, CIBA Core §11 and §13.)
package enum OAuthErrorCode: String, Sendable, CaseIterable {
    /// The person, or the server for them, said no.
    ///
    /// What to do: Tell the person; do not repeat the request by itself.
    case accessDenied = "access_denied"
    /// The person has not answered yet (RFC 8628 §3.5, CIBA).
    ///
    /// What to do: Ask again after the interval.
    case authorizationPending = "authorization_pending"
    /// A request without any page (`prompt=none`) needs the person's consent.
    ///
    /// What to do: Send the person without `prompt=none`.
    case consentRequired = "consent_required"
    /// The `login_hint_token` of a CIBA request has expired.
    ///
    /// What to do: Ask its issuer for a new one.
    case expiredLoginHintToken = "expired_login_hint_token"
    /// The device code or the CIBA request has expired.
    ///
    /// What to do: Begin a new request.
    case expiredToken = "expired_token"
    /// A request without any page (`prompt=none`) needs a page.
    ///
    /// What to do: Send the person without `prompt=none`.
    case interactionRequired = "interaction_required"
    /// The `binding_message` cannot be shown.
    ///
    /// What to do: Correct the client: a short line without characters that hide.
    case invalidBindingMessage = "invalid_binding_message"
    /// The client is unknown or disabled, or its authentication failed.
    ///
    /// What to do: Correct the client's id, secret or assertion.
    case invalidClient = "invalid_client"
    /// A member of a client's registration is not allowed.
    ///
    /// What to do: Correct it as the description says.
    case invalidClientMetadata = "invalid_client_metadata"
    /// The DPoP proof is missing, or a check of it fails.
    ///
    /// What to do: Make a new proof for the request (RFC 9449 §4).
    case invalidDPoPProof = "invalid_dpop_proof"
    /// The code, refresh token, assertion or request id is unknown, used, expired, or another client's.
    ///
    /// What to do: Sign the person in again.
    case invalidGrant = "invalid_grant"
    /// A redirect URI of a client's registration is not allowed.
    ///
    /// What to do: Correct it as the description says.
    case invalidRedirectURI = "invalid_redirect_uri"
    /// A parameter is missing, doubled or malformed.
    ///
    /// What to do: Correct the client as the description says.
    case invalidRequest = "invalid_request"
    /// The request object cannot be verified (RFC 9101).
    ///
    /// What to do: Correct its signature and its claims.
    case invalidRequestObject = "invalid_request_object"
    /// The pushed request is unknown, used or expired (RFC 9126).
    ///
    /// What to do: Push the request again.
    case invalidRequestURI = "invalid_request_uri"
    /// A scope is unknown, or the client may not have it.
    ///
    /// What to do: Ask for scopes of the client's registration.
    case invalidScope = "invalid_scope"
    /// A resource is unknown, or the client may not have tokens for it (RFC 8707).
    ///
    /// What to do: Ask for a resource of the client's registration.
    case invalidTarget = "invalid_target"
    /// The access token of the request is invalid or has expired (RFC 6750 §3.1).
    ///
    /// What to do: Refresh the token, else sign in again.
    case invalidToken = "invalid_token"
    /// The access token lacks a scope (RFC 6750 §3.1).
    ///
    /// What to do: Ask for a token with the scope.
    case insufficientScope = "insufficient_scope"
    /// A request without any page (`prompt=none`) needs a sign-in.
    ///
    /// What to do: Send the person without `prompt=none`.
    case loginRequired = "login_required"
    /// The client's CIBA requests need a `user_code`.
    ///
    /// What to do: Send it.
    case missingUserCode = "missing_user_code"
    /// The parameter `request` is not taken from this client.
    ///
    /// What to do: Send the parameters themselves, or push them.
    case requestNotSupported = "request_not_supported"
    /// The `request_uri` is not one of a pushed request.
    ///
    /// What to do: Push the request first (RFC 9126).
    case requestURINotSupported = "request_uri_not_supported"
    /// The parameter `registration` is not taken.
    ///
    /// What to do: Register the client beforehand.
    case registrationNotSupported = "registration_not_supported"
    /// The server, or an upstream that it asked, failed.
    ///
    /// What to do: Begin again; the operator finds the cause in the log.
    case serverError = "server_error"
    /// The client asks too often.
    ///
    /// What to do: Leave five seconds more between two requests (RFC 8628 §3.5).
    case slowDown = "slow_down"
    /// A limit is reached, or the server cannot write at the moment.
    ///
    /// What to do: Wait for the seconds of `Retry-After`.
    case temporarilyUnavailable = "temporarily_unavailable"
    /// The scan behind a CIBA request could not be carried out.
    ///
    /// What to do: Begin a new request.
    case transactionFailed = "transaction_failed"
    /// The client may not use this grant or this endpoint.
    ///
    /// What to do: Add the grant to the client's registration.
    case unauthorizedClient = "unauthorized_client"
    /// The hint of a CIBA request names nobody.
    ///
    /// What to do: Correct the hint.
    case unknownUserID = "unknown_user_id"
    /// No sign-in here reaches the `acr` that is essential.
    ///
    /// What to do: Ask for another `acr`, or as a voluntary claim.
    case unmetAuthenticationRequirements = "unmet_authentication_requirements"
    /// The grant type is unknown.
    ///
    /// What to do: Use a grant of the discovery document.
    case unsupportedGrantType = "unsupported_grant_type"
    /// The response type is not `code`.
    ///
    /// What to do: Correct the client.
    case unsupportedResponseType = "unsupported_response_type"
    /// The kind of token cannot be revoked (RFC 7009 §2.2.1).
    ///
    /// What to do: Correct the client.
    case unsupportedTokenType = "unsupported_token_type"
}

/// An error of the protocol: its code, and a description for the client's developers.
package struct OAuthError: Error, Sendable, Equatable {
    package let code: OAuthErrorCode
    /// The `error_description`: printable ASCII without quotation mark and backslash (RFC 6749 §5.2).
    ///
    /// It never contains a secret or a value that the caller sent.
    package let description: String
    /// The whole seconds of `Retry-After`, if a later repetition may succeed.
    package let retryAfter: Int?
    /// Whether the upstream failed instead of this server.
    ///
    /// The protocol has no error code for that.
    package let isUpstreams: Bool

    package init(_ code: OAuthErrorCode, _ description: String, retryAfter: Int? = nil, isUpstreams: Bool = false) {
        self.code = code
        self.description = description
        self.retryAfter = retryAfter
        self.isUpstreams = isUpstreams
    }
}
