/// Texts of the pages of a bank's enrolment; `%` is replaced by the name of the bank.
package enum EnrollmentKey: String, LocalizationKey {
    package static var section: String { "enrollment" }

    // The table rows of the pages
    case wallet, bank, cardCount, card
    // The question
    case questionTitle, questionLead, questionNoCards
    // The pages after the enrolment
    case addedTitle, addedLead, addedNoCards
    case cancelledTitle, cancelledLead, unavailableTitle, unavailableLead, refusedTitle, refusedLead
    case expiredTitle, expiredLead, usedTitle, usedLead, accountTitle, accountLead
    // The reasons why nothing is added
    case strangeTitle, unknownLead, otherBankLead, otherBrowserLead, otherAccountLead
    case crossSiteTitle, crossSiteLead
}
