/// The `typ` of each kind of token (RFC 8725 §3.11): what keeps one from being taken for the other, before any
/// claim is read.
package enum TokenType {
    /// RFC 9068 §2.1.
    package static let access = "at+jwt"
    /// The same with the prefix that RFC 7515 §4.1.9 lets a sender leave out; read, never written.
    package static let accessInFull = "application/at+jwt"
    /// Not registered: a refresh token is for the server that signed it and nobody else.
    package static let refresh = "rt+jwt"
    /// Not registered: a checkpoint of the audit, for whoever checks the audit.
    package static let auditCheckpoint = "audit-checkpoint+jwt"
    /// Not registered: what somebody has approved, for whoever carries it out.
    package static let approval = "vst-approval+jwt"
    /// Not registered: what somebody has paid, for whoever keeps the proof of it.
    package static let receipt = "vestibule-receipt+jwt"
    /// What OpenID Connect's libraries look for in an id token, where they look at all (RFC 7519 §5.1).
    package static let identity = "JWT"
}
