/// The config of the site's pages.
struct SiteSettings: Sendable, Hashable {
    /// The site's name, which is that of the relying party.
    let name: String
    /// The relying party's id, a domain (WebAuthn L3 §4).
    let rpID: String
    /// Whether the home page lists all users with their passkeys, for trials.
    let listsUsers: Bool
    /// Whether there is a page for signing in with a face.
    let offersFace: Bool

    /// The pages that are served.
    var pages: [SitePage] { SitePage.allCases.filter { $0 != .face || offersFace } }
}
