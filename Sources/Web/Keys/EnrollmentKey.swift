/// Texts of the pages of a bank's enrolment; `%` stands for the name of the bank.
package enum EnrollmentKey: String, LocalizationKey {
    package static var section: String { "enrollment" }

    // What the pages name
    case wallet, bank, cardCount, card
    // The question
    case questionTitle, questionLead, questionNoCards
    // How it ended
    case addedTitle, addedLead, addedNoCards
    case cancelledTitle, cancelledLead, unavailableTitle, unavailableLead, refusedTitle, refusedLead
    case expiredTitle, expiredLead, usedTitle, usedLead, accountTitle, accountLead
    // Where nothing is added
    case strangeTitle, unknownLead, otherBankLead, otherBrowserLead, otherAccountLead
    case crossSiteTitle, crossSiteLead
}
