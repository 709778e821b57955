/// Why a callback leads nowhere.
///
/// The person reads a page: an address in the callback that nobody vouches for is not followed. The raw value is the code
/// on that page.
package enum CallbackError: String, Error, Equatable, Sendable, CaseIterable {
    /// No state of this server that is remembered, or one of an authorization server that is gone from the config.
    case unknown
    /// The state is of another bank than the callback's (RFC 9700 §4.4, mix-up).
    case otherBank = "other_bank"
    /// The browser is not the one that was redirected.
    case otherBrowser = "other_browser"
    /// The browser is signed in to another account (RFC 9700 §4.7).
    case otherAccount = "other_account"
    /// Another authorization server answers than was asked (RFC 9207 §2.4).
    case otherIssuer = "other_issuer"
    /// Neither a code nor an error, or a code that is too long.
    case malformed
}
