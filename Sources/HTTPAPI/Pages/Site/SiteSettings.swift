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
    /// The client that its logins are for; `nil` leaves it to the server.
    package let faceClient: String?

    package init(name: String, rpID: String, listsUsers: Bool, offersFace: Bool, faceClient: String?) {
        self.name = name
        self.rpID = rpID
        self.listsUsers = listsUsers
        self.offersFace = offersFace
        self.faceClient = faceClient
    }

    /// The pages that there are.
    var pages: [SitePage] { SitePage.allCases.filter { $0 != .face || offersFace } }
}
