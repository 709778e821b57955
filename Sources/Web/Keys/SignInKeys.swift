/// Texts of the pages of an authorization request; `%` is replaced by the name of the client.
package enum SignInKey: String, LocalizationKey {
    package static var section: String { "signIn" }

    // The name of the person, and the ways to sign in. `%` in `tryLater` is replaced by a number of minutes.
    case title, lead, waysLead, identifierWrong, emailWrong, addressNeeded, onlyPasskey, firstLead, lastTime, cancel
    case credentialsWrong, tryLater
    // The code from a mail. `%` is replaced by the address.
    case codeTitle, codeLead, codeLeadOpening, codeWrong, addressUnverified
    // What is asked after a first sign-in, and the offer of a passkey
    case oneMoreTitle, oneMoreFace, oneMorePasskey, oneMoreEither, oneMoreOther, nothingToSetUp, offerTitle, offerLead
    case lostLead, youngPasskey, newWaits
    // A new account. `%` is replaced by the shortest length of a password.
    case signUpTitle, passwordHint, nameWrong, passwordWeak, emailTaken
    // The consent
    case consentTitle, consentLead, continueTitle, continueLead, account, goesTo, strange, allow, proceed
    // The sentences for scopes. `#` is replaced by the name of another scope, or of a resource.
    case scopeOpenID, scopeProfile, scopeEmail, scopeOffline, scopeOther, resource
    // The last pages of a request
    case onwardTitle, overTitle, overLead, busyTitle, busyLead, crossSiteTitle, crossSiteLead
    case serverDownTitle, serverDownLead, serverFaultTitle, serverFaultLead
}

/// Texts of the page where a person enters a device's code.
///
/// `%` is replaced by the name of the client, or by an address.
package enum DeviceTextKey: String, LocalizationKey {
    package static var section: String { "device" }

    case signInTitle, askTitle, codeWrong, questionTitle, sameNetwork, otherNetwork
    // The last page of the device flow
    case allowedTitle, allowedLead, deniedTitle, deniedLead
    // The last page after too many codes
    case triesTitle, triesLead
}

/// The pages of the authorization endpoint itself.
package enum AuthorizePageKey: String, LocalizationKey {
    package static var section: String { "authorizePages" }

    /// The client's request can't be answered.
    case refused
    /// The page that posts the answer to the client by itself.
    case goingBack
}

/// The pages of a logout.
package enum LogoutPageKey: String, LocalizationKey {
    package static var section: String { "logoutPages" }

    case ask
    /// The person is not signed in any more.
    case done
    /// The client's logout request is refused.
    case refused
}
