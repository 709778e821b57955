/// What pages of the site, on which people sign in or let a device in, need to know of the config.
package struct SitePageSettings: Sendable {
    /// What the site calls itself.
    package let site: String
    /// Without a trailing slash.
    package let publicURL: String
    /// The largest body in bytes.
    package let bodyLimit: Int

    package init(site: String, publicURL: String, bodyLimit: Int) {
        self.site = site
        self.publicURL = publicURL
        self.bodyLimit = bodyLimit
    }
}
