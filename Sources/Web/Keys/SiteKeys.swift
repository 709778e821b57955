/// Texts of the site's pages.
package enum SiteKey: String, LocalizationKey {
    package static var section: String { "site" }

    case homeTitle, signUp, signInTitle, myPasskeys, faceTitle
    // What the bar on top calls a page, and what the home page says it is for
    case signUpLink, signUpWay, signIn, signInWay, passkeysLink, passkeysWay, faceLink, faceWay
    // A face scan
    case waitingTitle, stepOpen, stepStart, stepScan, stepJudge, notSignedIn
}

/// Texts of the scripts; `{NAME}` stands for a value.
package enum ScriptKey: String, LocalizationKey {
    package static var section: String { "scripts" }

    case providerDegraded
}
