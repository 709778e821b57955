/// What stands in the pages of an authorization request beside the words of the site: in their markup `{{own.NAME}}`.
///
/// `%` stands for the name of the client.
enum SignInWord: String, Sendable, CaseIterable {
    // The choice of a way
    case title, lead, oneMoreTitle, oneMoreFace, oneMorePasskey, usePasskey, orFace, passkeysNeedScript, emailWrong
    case cancel
    // The wait for a scan
    case hereLead, looksAgain, lookAgain, otherWay
    // The consent
    case consentTitle, consentLead, continueTitle, continueLead, account, goesTo, strange, allow, goOn, refuse
    // What a scope gives, by its name; and of others
    case scopeOpenID, scopeProfile, scopeEmail, scopeOffline
    /// `#` stands for the name of a scope, or of a resource.
    case scopeOther, resource
    // Pages that end something
    case onwardTitle, onwardLead, onward
    case overTitle, overLead, busyTitle, busyLead, crossSiteTitle, crossSiteLead, serverDownTitle, serverDownLead
    case serverFaultTitle, serverFaultLead
}
