/// The error codes of the OAuth protocols that clients are told.
///
/// (RFC 6749 §4.1.2.1 and §5.2, RFC 7009 §2.2.1, RFC 7591 §3.2.2, RFC 8628 §3.5, RFC 8707 §2, RFC 9126 §2.3, RFC 9449 §5,
/// OpenID Connect Core §3.1.2.6, CIBA Core §11 and §13.)
package enum OAuthErrorCode: String, Sendable, CaseIterable {
    case accessDenied = "access_denied"
    case authorizationPending = "authorization_pending"
    case consentRequired = "consent_required"
    case expiredLoginHintToken = "expired_login_hint_token"
    case expiredToken = "expired_token"
    case interactionRequired = "interaction_required"
    case invalidBindingMessage = "invalid_binding_message"
    case invalidClient = "invalid_client"
    case invalidClientMetadata = "invalid_client_metadata"
    case invalidDPoPProof = "invalid_dpop_proof"
    case invalidGrant = "invalid_grant"
    case invalidRedirectURI = "invalid_redirect_uri"
    case invalidRequest = "invalid_request"
    case invalidRequestObject = "invalid_request_object"
    case invalidRequestURI = "invalid_request_uri"
    case invalidScope = "invalid_scope"
    case invalidTarget = "invalid_target"
    case invalidToken = "invalid_token"
    case insufficientScope = "insufficient_scope"
    case loginRequired = "login_required"
    case missingUserCode = "missing_user_code"
    case requestNotSupported = "request_not_supported"
    case requestURINotSupported = "request_uri_not_supported"
    case registrationNotSupported = "registration_not_supported"
    case serverError = "server_error"
    case slowDown = "slow_down"
    case temporarilyUnavailable = "temporarily_unavailable"
    case transactionFailed = "transaction_failed"
    case unauthorizedClient = "unauthorized_client"
    case unknownUserID = "unknown_user_id"
    case unmetAuthenticationRequirements = "unmet_authentication_requirements"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedResponseType = "unsupported_response_type"
    case unsupportedTokenType = "unsupported_token_type"
}

/// An error of the protocol: its code, and a description for the client's developers.
package struct OAuthError: Error, Sendable, Equatable {
    package let code: OAuthErrorCode
    /// The `error_description`: printable ASCII without quotation mark and backslash (RFC 6749 §5.2).
    ///
    /// It never has a secret, nor input of the caller.
    package let description: String
    /// The whole seconds of `Retry-After`, where a later request may succeed.
    package let retryAfter: Int?
    /// Whether the upstream failed and not this server, for which the protocol has no code.
    package let isUpstreams: Bool

    package init(_ code: OAuthErrorCode, _ description: String, retryAfter: Int? = nil, isUpstreams: Bool = false) {
        self.code = code
        self.description = description
        self.retryAfter = retryAfter
        self.isUpstreams = isUpstreams
    }
}
