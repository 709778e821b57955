/// The pages that links in mails open.
package enum MailPageKey: String, LocalizationKey {
    package static var section: String { "mailPages" }

    case code, codeOver
    /// The page on a device of the account. `%` is replaced by the name of the client.
    case proof
    /// The page on any other device, where the button ends every session. `%` is replaced by the name of the client.
    case proofElsewhere
    case proven, proofOver, busy, serverDown
}

/// Notes beside the form fields of the pages that links in mails open.
package enum MailFieldKey: String, LocalizationKey {
    package static var section: String { "mailFields" }

    /// Below the code. `#` is replaced by a number of minutes.
    case codeNote
}
