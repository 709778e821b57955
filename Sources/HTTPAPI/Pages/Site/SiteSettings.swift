/// The config of the site's pages.
package struct SiteSettings: Sendable {
    /// The site's name, which is that of the relying party.
    package let name: String
    /// The relying party's id, a domain (WebAuthn L3 §4).
    package let rpID: String
    /// Whether the home page lists all users with their passkeys, for trials.
    package let listsUsers: Bool
    /// Whether there is a page for signing in with a face.
    package let offersFace: Bool

    package init(name: String, rpID: String, listsUsers: Bool, offersFace: Bool) {
        self.name = name
        self.rpID = rpID
        self.listsUsers = listsUsers
        self.offersFace = offersFace
    }

    /// The pages that are served.
    var pages: [SitePage] { SitePage.allCases.filter { $0 != .face || offersFace } }
}
