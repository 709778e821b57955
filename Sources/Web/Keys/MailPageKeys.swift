/// The pages behind the links in mails.
package enum MailPageKey: String, LocalizationKey {
    package static var section: String { "mailPages" }

    case code, codeOver
    /// The page on a device of the account; `%` stands for the client.
    case proof
    /// The page on any other device, where the button ends every session; `%` stands for the client.
    case proofElsewhere
    case proven, proofOver, busy, serverDown
}

/// Notes beside the fields of those pages.
package enum MailFieldKey: String, LocalizationKey {
    package static var section: String { "mailFields" }

    /// Below the code; `#` stands for a number of minutes.
    case codeNote
}
