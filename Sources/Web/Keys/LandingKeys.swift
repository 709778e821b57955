/// Texts of the page that asks before the scan.
package enum ConfirmKey: String, LocalizationKey {
    package static var section: String { "confirm" }

    case title, body, button
    /// Replaces `body` if a client's server started the sign-in: without and with the client's message.
    case asked, askedInWords
    // The client, account, address, browser and time of the sign-in
    case client, account, address, agent, started
    // The places that replace an address near the reader
    case thisComputer, localNetwork, serverNetwork
    /// `%` is replaced by the browser or app, and `#` by the system.
    case agentOnSystem
    case justNow
    /// `%` is replaced by the number of minutes.
    case minutesAgo
    case numberMissing
    /// `%` is replaced by the number of tries that are left.
    case numberWrong
    /// The button that continues without a passkey, where the page also has one for passkeys.
    case withoutPasskey
}

/// Texts of the page that asks for an approval, in addition to those of ``ConfirmKey``.
package enum ApprovalKey: String, LocalizationKey {
    package static var section: String { "approval" }

    case title, body, button, amount, payee
    /// Replaces the label of the client in ``ConfirmKey``.
    case client
    /// The message of an approval that is a payment. `%` is replaced by the last digits of the card.
    case payment
}

/// Labels of a page's details.
package enum LabelKey: String, LocalizationKey {
    package static var section: String { "labels" }

    /// The app that asks for a logout.
    case client
    // The code of a refused request, and the sentence for the app's developers
    case errorCode, errorReason
    /// The id of the request, for the operator.
    case request
    /// The button that leads to the site's start page.
    case home
}

/// Texts of the page of a scan's progress, in addition to those of ``SiteKey``.
package enum ScanKey: String, LocalizationKey {
    package static var section: String { "scan" }

    case title
    /// The button that leads to the scan again.
    case again
}

/// Texts of the page that sends a browser on into an app.
package enum AppLinkKey: String, LocalizationKey {
    package static var section: String { "appLink" }

    case title, lead
    /// The sentence for a browser in which nothing happens.
    case missing
    // The way on without the app, after a login and after a bank's enrolment
    case withoutLogin, withoutLoginInApp, withoutCards, withoutCardsFailed
}
