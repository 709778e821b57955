import Web

/// The pages that people come to by themselves.
enum SitePage: Sendable, CaseIterable {
    case home, signUp, signIn, passkeys, face

    /// Seed and field have these paths: some end in `.html`, some don't.
    var path: String {
        switch self {
        case .home: "/"
        case .signUp: "/signup.html"
        case .signIn: "/login.html"
        case .passkeys: "/passkeys"
        case .face: "/face"
        }
    }

    /// Where it is served: the published site's home page has a second path.
    var paths: [String] { self == .home ? [path, "/index.html"] : [path] }

    /// The same from another of the pages, all of which are in one folder.
    var link: String { self == .home ? "./" : String(path.dropFirst()) }

    /// The name of its file in `pages`, and of the module that it begins with.
    var name: String {
        switch self {
        case .home: "home"
        case .signUp: "signup"
        case .signIn: "login"
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

    /// What the bar on top calls it, and what the home page says it is for.
    ///
    /// The home page itself is behind the site's name.
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
