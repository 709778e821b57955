/// Texts of the page that asks before the scan.
package enum ConfirmKey: String, LocalizationKey {
    package static var section: String { "confirm" }

    case title, body, button
    /// In the place of `body` where a client's server has started it: without a message of the client's, and with one.
    case asked, askedInWords
    // What is being signed in to, for whom, from where, with what, and when
    case client, account, address, agent, started
    /// In the place of an address or a browser that is not known.
    case unknown
    case justNow
    /// `%` stands for the number of minutes.
    case minutesAgo
    case numberMissing
    /// `%` stands for the number of tries that are left.
    case numberWrong
    /// The button that goes on without a passkey, where the page has one for passkeys too.
    case withoutPasskey
}

/// Texts of the page that asks for an approval, beside those of ``ConfirmKey``.
package enum ApprovalKey: String, LocalizationKey {
    package static var section: String { "approval" }

    case title, body, button, amount, payee
    /// In the place of what is being signed in to.
    case client
    /// The message of an approval that is a payment; `%` stands for the last digits of the card.
    case payment
}

/// Labels of details.
package enum LabelKey: String, LocalizationKey {
    package static var section: String { "labels" }

    /// The app that asks for a logout.
    case client
    // The code of a refused request, and the sentence for the app's developers
    case errorCode, errorReason
}
