/// The mails that are no notices, each with a subject, a body and what belongs to a link.
///
/// In every mail `%` stands for the service.
package enum LetterKey: String, LocalizationKey {
    package static var section: String { "letters" }

    /// With a code; `#` stands for how long it works.
    case signInCode
    /// With a link and a code; likewise.
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
    /// The name of a device without a name.
    case namelessDevice
    /// The advice for a notice that was not expected.
    case alarm
    /// Every mail ends with it.
    case footer
    // What spans of time are counted in
    case minute, minutes, hours
}
