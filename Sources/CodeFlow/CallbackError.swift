/// The reason why a callback is refused.
///
/// The person is shown a page, because an unverified address in the callback must not be followed. The page for a
/// bank's callback shows the raw value as the error code.
package enum CallbackError: String, Error, Equatable, Sendable, CaseIterable {
    /// The state is unknown, expired or used, or its authorization server was removed from the config.
    case unknown
    /// The state belongs to a bank other than the callback's (RFC 9700 §4.4, mix-up).
    case otherBank = "other_bank"
    /// The browser is not the one that was redirected.
    case otherBrowser = "other_browser"
    /// The browser is signed in to another account (RFC 9700 §4.7).
    case otherAccount = "other_account"
    /// The answering authorization server is not the one that was asked (RFC 9207 §2.4).
    case otherIssuer = "other_issuer"
    /// The callback has neither a code nor an error, or its code is too long.
    case malformed
}
