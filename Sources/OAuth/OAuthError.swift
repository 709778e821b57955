/// The error table of the OAuth protocols: every refusal that a client is told, by its registered code.
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

/// A refusal in the terms of the protocol: a code of the table, and a sentence for whoever writes the client.
package struct OAuthError: Error, Sendable, Equatable {
    package let code: OAuthErrorCode
    /// `error_description`: printable ASCII without quotation mark and backslash (RFC 6749 §5.2); never a secret, and never
    /// what the caller sent.
    package let description: String
    /// For `Retry-After`, where coming back later helps: whole seconds.
    package let retryAfter: Int?
    /// Whether it is the server behind this one that failed, and not this one: no code of the protocol says so.
    package let isUpstreams: Bool

    package init(
        _ code: OAuthErrorCode,
        _ description: String,
        retryAfter: Int? = nil,
        isUpstreams: Bool = false
    ) {
        self.code = code
        self.description = description
        self.retryAfter = retryAfter
        self.isUpstreams = isUpstreams
    }
}
