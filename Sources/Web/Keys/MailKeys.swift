/// The mails that are not notices, each with a subject, a body and the text of its link.
///
/// In every mail `%` stands for the service.
package enum LetterKey: String, LocalizationKey {
    package static var section: String { "letters" }

    /// A mail with a code, in which `#` stands for how long it works.
    case signInCode
    /// A mail with a link and a code, in which `#` stands for how long they work.
    case addressProof
    /// `#` stands for the device that stays signed in.
    case addressProvenInApp
    case test
}

/// Texts of mails beside subjects and bodies.
///
/// No text has six digits in a row.
package enum MailKey: String, LocalizationKey {
    package static var section: String { "mail" }

    // Before and after the code that proves an address in an app
    case proofCodeLead, proofCodeWarning
    /// The name of a device without a label.
    case namelessDevice
    /// The advice for an unexpected notice.
    case alarm
    /// The end of every mail.
    case footer
    // The units of time
    case minute, minutes, hours
}
