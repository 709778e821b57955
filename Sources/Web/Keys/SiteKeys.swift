/// Texts of the site's pages.
package enum SiteKey: String, LocalizationKey {
    package static var section: String { "site" }

    case homeTitle, signUp, signInTitle, myPasskeys, faceTitle
    // The label of a page in the top bar, and the page's purpose on the home page
    case signUpLink, signUpWay, signIn, signInWay, passkeysLink, passkeysWay, faceLink, faceWay
    // A face scan
    case waitingTitle, openScan, stepOpen, stepStart, stepScan, stepJudge, notSignedIn
}

/// Texts of the scripts; `{NAME}` is replaced by a value.
package enum ScriptKey: String, LocalizationKey {
    package static var section: String { "scripts" }

    case providerDegraded
}
