import Operations

/// What people read on pages and in answers, by key; one file per language.
///
/// What mails say stands with the mails.
struct Texts: Sendable {
    /// The language's tag (RFC 5646).
    let language: String
    let failures: [FailureCode: String]
    let pages: [LandingPages.Page: PageText]
    let confirm: ConfirmText
    let signedIn: SignedInText
    let mail: MailPageText
    let logout: LogoutText
    let authorize: AuthorizeText
    let site: SiteText
    /// The words of the pages of authorization requests.
    let authorization: [SignInWord: String]

    /// A page's words.
    struct PageText: Sendable {
        let title: String
        let body: String
        /// The button's label, where the page has one.
        let button: String?
    }

    /// The words of the page that asks before the scan.
    struct ConfirmText: Sendable {
        let title: String
        let body: String
        /// In its place where a client's server has started it: without a message of the client's, and with one.
        let asked: String
        let askedInWords: String
        /// What is being signed in to, for whom, from where, with what, and when.
        let client: String
        let account: String
        let address: String
        let agent: String
        let started: String
        /// In the place of an address or a browser that is not known.
        let unknown: String
        let justNow: String
        /// `%` stands for the number of minutes.
        let minutesAgo: String
        let number: String
        let numberHint: String
        let numberMissing: String
        /// `%` stands for the number of tries that are left.
        let numberWrong: String
        let button: String
        let denial: String
        let passkey: PasskeyText
    }

    /// The words of the same page where a passkey goes on from it.
    struct PasskeyText: Sendable {
        /// What it is for, before both buttons.
        let hint: String
        /// The buttons: with a passkey, and without one.
        let with: String
        let without: String
        /// To a browser that runs no scripts.
        let needsScript: String
    }

    /// What is said otherwise where nobody signs in: of enrolments and approvals.
    struct SignedInText: Sendable {
        /// Those that the others leave to the login's.
        let failures: [FailureCode: String]
        let pages: [LandingPages.Page: PageText]
        let approval: ApprovalText
    }

    /// The words of the page that asks for an approval, beside those of ``ConfirmText``.
    struct ApprovalText: Sendable {
        let title: String
        let body: String
        let amount: String
        let payee: String
        /// In the place of what is being signed in to.
        let client: String
        let button: String
        /// What is approved where it is a payment; `%` stands for the last digits of the card.
        let payment: String
    }

    /// Every language, the one of those that ask for none first.
    static let all: [Texts] = [.english, .french, .spanish, .swedish]

    /// The sentence for a failed operation of that kind.
    func failure(_ code: FailureCode, of kind: OperationKind = .login) -> String {
        let own = kind == .login ? nil : signedIn.failures[code]
        return own ?? failures[code] ?? code.rawValue
    }

    /// The words of a page of an operation of that kind.
    func page(_ page: LandingPages.Page, of kind: OperationKind) -> PageText? {
        kind == .login ? pages[page] : signedIn.pages[page] ?? pages[page]
    }
}
