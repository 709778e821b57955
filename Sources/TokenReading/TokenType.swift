/// The `typ` of each kind of token (RFC 8725 §3.11): what keeps one from being taken for the other, before any
/// claim is read.
package enum TokenType {
    /// RFC 9068 §2.1.
    package static let access = "at+jwt"
    /// The same with the prefix that RFC 7515 §4.1.9 lets a sender leave out; read, never written.
    package static let accessInFull = "application/at+jwt"
    /// The type of a refresh token, which only the server that signed it accepts (not registered).
    package static let refresh = "rt+jwt"
    /// The type of a checkpoint of the audit (not registered).
    package static let auditCheckpoint = "audit-checkpoint+jwt"
    /// The type of an approval token (not registered).
    package static let approval = "vst-approval+jwt"
    /// The type of a payment receipt (not registered).
    package static let receipt = "vestibule-receipt+jwt"
    /// The type of an id token that OpenID Connect's libraries expect, where they check it (RFC 7519 §5.1).
    package static let identity = "JWT"
}
