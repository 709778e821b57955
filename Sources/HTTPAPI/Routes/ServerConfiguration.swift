/// The server as browsers and apps see it.
package struct ServerConfiguration: Sendable {
    /// The public address, without a trailing slash.
    let publicURL: String
    /// Whether browsers reach the server over https.
    let isSecure: Bool
    /// The `iss` of tokens (RFC 7519 §4.1.1).
    let issuer: String
    /// The site's display name.
    let site: String
    /// The largest body in bytes.
    let bodyLimit: Int
    /// Finds the address of a request's client.
    let addresses: ClientAddresses

    package init(
        publicURL: String,
        issuer: String,
        site: String,
        bodyLimit: Int = 65_536,
        addresses: ClientAddresses
    ) {
        self.publicURL = publicURL
        isSecure = publicURL.hasPrefix("https://")
        self.issuer = issuer
        self.site = site
        self.bodyLimit = bodyLimit
        self.addresses = addresses
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
