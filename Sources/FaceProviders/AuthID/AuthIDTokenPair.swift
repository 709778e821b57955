import Kernel

/// A token pair as authID hands it out.
struct AuthIDTokenPair: Sendable {
    /// Far above what is in use; a bound for what is kept and sent again.
    private static let longest = 16_384

    let access: Secret
    let refresh: Secret?
    /// `nil` if it is missing or not a date.
    let expires: Instant?

    /// Returns `nil` unless there is an access token that can be sent in a header.
    init?(parsing body: [UInt8]) {
        guard let document = AuthIDDocument(body), let token = document.text("AccessToken"), Self.isSendable(token)
        else { return nil }
        access = Secret(token)
        // The token works without these two, in whatever form they come.
        refresh = document.text("RefreshToken").flatMap { Self.isSendable($0) ? Secret($0) : nil }
        expires = document.text("AccessTokenExpirationDate").flatMap { InternetTimestamp.parse($0) }
    }

    private static func isSendable(_ token: String) -> Bool { PrintableToken.isOne(token, upTo: longest) }
}

/// How long a token is taken to live.
enum AuthIDTokenLifetime {
    /// The lifetime of a token whose date can't be read, or is in the past because the clocks differ.
    ///
    /// Well under authID's usual 15 minutes; a token that expires sooner costs one 401.
    static let assumed: Duration = .seconds(300)
    /// A clock that is far off must not make a token immortal.
    static let longest: Duration = .seconds(3600)

    static func of(_ pair: AuthIDTokenPair, at now: Instant) -> Duration {
        guard let expires = pair.expires, now < expires else { return assumed }
        return min(expires - now, longest)
    }
}
