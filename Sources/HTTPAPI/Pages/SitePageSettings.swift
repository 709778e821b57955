/// The config of the site's pages on which people sign in or approve a device.
package struct SitePageSettings: Sendable {
    /// The site's name.
    package let site: String
    /// The address of this server without a trailing slash.
    package let publicURL: String
    /// The largest body in bytes.
    package let bodyLimit: Int

    package init(site: String, publicURL: String, bodyLimit: Int) {
        self.site = site
        self.publicURL = publicURL
        self.bodyLimit = bodyLimit
    }
}
