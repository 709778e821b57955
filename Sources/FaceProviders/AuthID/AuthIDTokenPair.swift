import Kernel

/// A token pair as authID issues it.
struct AuthIDTokenPair: Sendable {
    /// The length limit of a token, far above the usual length: tokens are stored and sent again.
    private static let longest = 16_384

    let access: Secret
    let refresh: Secret?
    /// The time of expiry; `nil` if it is missing or not a date.
    let expires: Instant?

    /// Returns `nil` unless there is an access token that can be sent in a header.
    init?(parsing body: [UInt8]) {
        guard let document = AuthIDDocument(body), let token = document.text("AccessToken"), Self.isSendable(token)
        else { return nil }
        access = Secret(token)
        // The access token works without a refresh token and an expiry date, so either may be missing or unreadable.
        refresh = document.text("RefreshToken").flatMap { Self.isSendable($0) ? Secret($0) : nil }
        expires = document.text("AccessTokenExpirationDate").flatMap { InternetTimestamp.parse($0) }
    }

    private static func isSendable(_ token: String) -> Bool { PrintableToken.isOne(token, upTo: longest) }
}

/// The lifetime that is assumed for a token.
enum AuthIDTokenLifetime {
    /// The lifetime of a token whose date can't be read, or is in the past because the clocks differ.
    ///
    /// It is well under authID's usual 15 minutes. A token that expires sooner costs one answer of 401.
    static let assumed: Duration = .seconds(300)
    /// The upper limit: wrong clocks must not make a token last forever.
    static let longest: Duration = .seconds(3600)

    static func of(_ pair: AuthIDTokenPair, at now: Instant) -> Duration {
        guard let expires = pair.expires, now < expires else { return assumed }
        return min(expires - now, longest)
    }
}
