/// The `typ` of each kind of token (RFC 8725 §3.11), which distinguishes the kinds before any claim is read.
package enum TokenType {
    /// The type of an access token (RFC 9068 §2.1).
    package static let access = "at+jwt"
    /// The same type with the prefix that a sender may omit (RFC 7515 §4.1.9).
    ///
    /// It is accepted, and never written.
    package static let accessInFull = "application/at+jwt"
    /// The type of a refresh token, which only the server that signed it accepts (not registered).
    package static let refresh = "rt+jwt"
    /// The type of a checkpoint of the audit log (not registered).
    package static let auditCheckpoint = "audit-checkpoint+jwt"
    /// The type of an approval token (not registered).
    package static let approval = "vst-approval+jwt"
    /// The type of a payment receipt (not registered).
    package static let receipt = "vestibule-receipt+jwt"
    /// The type of a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4).
    package static let logout = "logout+jwt"
    /// The type of an id token (RFC 7519 §5.1).
    ///
    /// OpenID Connect libraries expect it if they check the type.
    package static let identity = "JWT"
}
