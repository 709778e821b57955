/// The reason why a callback is refused.
///
/// The person reads a page: an unverified address in the callback is not followed. A bank's page has the raw value as
/// its code.
package enum CallbackError: String, Error, Equatable, Sendable, CaseIterable {
    /// The state is unknown, expired or used, or its authorization server was removed from the config.
    case unknown
    /// The state belongs to another bank than the callback (RFC 9700 §4.4, mix-up).
    case otherBank = "other_bank"
    /// The browser is not the one that was redirected.
    case otherBrowser = "other_browser"
    /// The browser is signed in to another account (RFC 9700 §4.7).
    case otherAccount = "other_account"
    /// The authorization server that answers is not the one that was asked (RFC 9207 §2.4).
    case otherIssuer = "other_issuer"
    /// The callback has neither a code nor an error, or its code is too long.
    case malformed
}
