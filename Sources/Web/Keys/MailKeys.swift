/// The mails that are not notices, each with a subject, a body and the text of its link.
///
/// In every mail `%` is replaced by the name of the service.
package enum LetterKey: String, LocalizationKey {
    package static var section: String { "letters" }

    /// A mail with a code. `#` is replaced by the time for which the code works.
    case signInCode
    /// A mail with a link and a code. `#` is replaced by the time for which they work.
    case addressProof
    /// `#` is replaced by the name of the device that stays signed in.
    case addressProvenInApp
    case test
}

/// Texts of mails other than subjects and bodies, without six digits in a row.
package enum MailKey: String, LocalizationKey {
    package static var section: String { "mail" }

    // Before and after the code that proves an address in an app
    case proofCodeLead, proofCodeWarning
    /// The name of a device without a label.
    case namelessDevice
    /// The advice for an unexpected notice, without an account centre and with one.
    case alarm, alarmWithAccount
    /// The end of every mail.
    case footer
    /// The heading of the time, app and address of the request behind a mail, and their labels.
    case origin, originTime, originAgent, originAddress
    /// The sentence before the address of a button, for mail programs that show none.
    case linkFails
    // The units of time
    case minute, minutes, hours
}
