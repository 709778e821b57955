/// The config of the site's pages.
struct SiteSettings: Sendable, Hashable {
    /// The relying party's id, a domain (WebAuthn L3 §4).
    let rpID: String
    /// Whether the home page lists all users with their passkeys, for trials.
    let listsUsers: Bool
    /// Whether there is a page for signing in with a face.
    let offersFace: Bool
    /// Whether there are pages on which people manage their accounts.
    let offersAccount: Bool

    /// Whether the page that creates passkeys shows every setting of the options.
    let showsSettings: Bool

    /// The pages that are linked to.
    var pages: [SitePage] { SitePage.allCases.filter { $0 != .face || offersFace } }
}
