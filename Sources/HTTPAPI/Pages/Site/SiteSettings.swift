/// What the site's pages need to know of the config.
package struct SiteSettings: Sendable {
    /// What the site calls itself: the relying party's name.
    package let name: String
    /// The relying party's id, a domain (WebAuthn L3 §4).
    package let rpID: String
    /// Whether the home page lists everybody, with their passkeys: for trying things out.
    package let listsUsers: Bool
    /// Whether there is a page for signing in by a face.
    package let offersFace: Bool

    package init(name: String, rpID: String, listsUsers: Bool, offersFace: Bool) {
        self.name = name
        self.rpID = rpID
        self.listsUsers = listsUsers
        self.offersFace = offersFace
    }

    /// The pages that there are.
    var pages: [SitePage] { SitePage.allCases.filter { $0 != .face || offersFace } }
}
