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

    /// The module that the page begins with.
    var script: String {
        switch self {
        case .home: "home.js"
        case .signUp: "signup.js"
        case .signIn: "login.js"
        case .passkeys: "passkeys.js"
        case .face: "face.js"
        }
    }

    var content: String {
        switch self {
        case .home: SiteTemplates.home
        case .signUp: SiteTemplates.signUp
        case .signIn: SiteTemplates.signIn
        case .passkeys: SiteTemplates.passkeys
        case .face: SiteTemplates.face
        }
    }

    var title: SiteWord {
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
    var label: (link: SiteWord, hint: SiteWord)? {
        switch self {
        case .home: nil
        case .signUp: (.signUpLink, .signUpWay)
        case .signIn: (.signIn, .signInWay)
        case .passkeys: (.passkeysLink, .passkeysWay)
        case .face: (.faceLink, .faceWay)
        }
    }
}
