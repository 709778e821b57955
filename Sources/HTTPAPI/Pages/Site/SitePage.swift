import Web

/// The pages that people open without a link from this server.
enum SitePage: Sendable, CaseIterable {
    case home, signUp, signIn, passkeys, face

    /// The path, as on the published site: some paths end in `.html`, some do not.
    var path: String {
        switch self {
        case .home: "/"
        case .signUp: "/signup.html"
        case .signIn: "/login.html"
        case .passkeys: "/passkeys"
        case .face: "/face"
        }
    }

    /// All paths of the page: like the published site's, the home page has a second one.
    var paths: [String] { self == .home ? [path, "/index.html"] : [path] }

    /// The page's address relative to the other pages, which are all in the same folder.
    var link: String { self == .home ? "./" : String(path.dropFirst()) }

    /// The pages that are rendered from a file of their own: all but the sign-in, which leads to the sign-in page.
    static let rendered = allCases.filter { $0 != .signIn }

    /// The name of the page's file in `pages`, and of its first module.
    var name: String {
        switch self {
        case .home: "home"
        case .signUp: "signup"
        case .signIn: "sign-in-identifier"
        case .passkeys: "passkeys"
        case .face: "face"
        }
    }

    var script: String { "\(name).js" }

    var title: SiteKey {
        switch self {
        case .home: .homeTitle
        case .signUp: .signUp
        case .signIn: .signInTitle
        case .passkeys: .myPasskeys
        case .face: .faceTitle
        }
    }

    /// The label in the bar at the top, and the description on the home page.
    ///
    /// The home page has none, because the site's name leads to it.
    var label: (link: SiteKey, hint: SiteKey)? {
        switch self {
        case .home: nil
        case .signUp: (.signUpLink, .signUpWay)
        case .signIn: (.signIn, .signInWay)
        case .passkeys: (.passkeysLink, .passkeysWay)
        case .face: (.faceLink, .faceWay)
        }
    }
}
