/// Texts of the pages of an authorization request; `%` stands for the name of the client.
package enum SignInKey: String, LocalizationKey {
    package static var section: String { "signIn" }

    // The choice of a means to sign in
    case title, lead, oneMoreTitle, oneMoreFace, oneMorePasskey, emailWrong, cancel
    // The consent
    case consentTitle, consentLead, continueTitle, continueLead, account, goesTo, strange, allow, proceed
    // The sentences for scopes, in which `#` stands for the name of another scope, or of a resource
    case scopeOpenID, scopeProfile, scopeEmail, scopeOffline, scopeOther, resource
    // The pages at an end
    case onwardTitle, overTitle, overLead, busyTitle, busyLead, crossSiteTitle, crossSiteLead
    case serverDownTitle, serverDownLead, serverFaultTitle, serverFaultLead
}

/// Texts of the page of devices; `%` stands for the name of the client, or for an address.
package enum DeviceTextKey: String, LocalizationKey {
    package static var section: String { "device" }

    case signInTitle, askTitle, codeWrong, questionTitle, sameNetwork, otherNetwork
    // The end of the device flow
    case allowedTitle, allowedLead, deniedTitle, deniedLead
    // The end after too many codes
    case triesTitle, triesLead
}

/// The pages of the authorization endpoint itself.
package enum AuthorizePageKey: String, LocalizationKey {
    package static var section: String { "authorizePages" }

    /// The client's request can't be answered.
    case refused
    /// Posts the answer to the client by itself.
    case goingBack
}

/// The pages of a logout.
package enum LogoutPageKey: String, LocalizationKey {
    package static var section: String { "logoutPages" }

    case ask
    /// Nobody is signed in here now.
    case done
    /// The client's request can't be followed.
    case refused
}
