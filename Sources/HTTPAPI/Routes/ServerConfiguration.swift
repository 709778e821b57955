package import Web

/// The server as browsers and apps see it.
package struct ServerConfiguration: Sendable {
    /// The public address, without a trailing slash.
    let publicURL: String
    /// Whether browsers reach the server over https.
    let isSecure: Bool
    /// The `iss` of tokens (RFC 7519 §4.1.1).
    let issuer: String
    /// The largest body in bytes.
    let bodyLimit: Int
    /// Finds the address of a request's client.
    let addresses: ClientAddresses
    /// Whether the start page of the site is served.
    package var hasHome = false
    /// The languages and brands of pages.
    let localization: Localization

    package init(
        publicURL: String,
        issuer: String,
        bodyLimit: Int = 65_536,
        addresses: ClientAddresses,
        localization: Localization = Localization()
    ) {
        self.publicURL = publicURL
        isSecure = publicURL.hasPrefix("https://")
        self.issuer = issuer
        self.bodyLimit = bodyLimit
        self.addresses = addresses
        self.localization = localization
    }

    /// The path of the public address with a slash at its end: a proxy may mount this server below one.
    var root: String {
        publicURL.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).map { "/" + $0 }.joined() + "/"
    }

    /// Reads JSON bodies up to the limit.
    var body: JSONBody { JSONBody(limit: bodyLimit) }

    /// Recognises requests of this server's own pages.
    var ownPages: OwnPages { OwnPages(publicURL: publicURL) }

    /// The cookie of browser sessions.
    var webSessionCookie: CompanionCookies { .webSession(isSecure: isSecure) }

    /// The cookie of authorization requests.
    var interactionCookie: CompanionCookies { .interaction(isSecure: isSecure) }
}
