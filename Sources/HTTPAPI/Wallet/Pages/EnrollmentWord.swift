/// What stands in the pages of a bank's enrolment: in their markup `{{own.NAME}}`.
///
/// `%` stands for the name of the bank.
enum EnrollmentWord: String, Sendable, CaseIterable {
    // What the pages name
    case wallet, bank, cardCount, card
    // The question
    case questionTitle, questionLead, questionNoCards, fraud, add, cancel
    // What came of it
    case addedTitle, addedLead, addedNoCards
    case cancelledTitle, cancelledLead, unavailableTitle, unavailableLead, refusedTitle, refusedLead
    case expiredTitle, expiredLead, usedTitle, usedLead, accountTitle, accountLead
    // Where nothing comes of it
    case strangeTitle, unknownLead, otherBankLead, otherBrowserLead, otherAccountLead
    case crossSiteTitle, crossSiteLead
}

extension Texts {
    /// The words of the pages of a bank's enrolment.
    var enrollment: [EnrollmentWord: String] { Self.enrollmentWords[language] ?? Self.englishEnrollment }

    private static let enrollmentWords: [String: [EnrollmentWord: String]] = [
        "en": englishEnrollment, "fr": frenchEnrollment, "es": spanishEnrollment, "sv": swedishEnrollment,
    ]
}
