import CodeFlow
import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import Wallet
import Web

/// The pages in a browser that returns from a bank: the end, the question of the wallet, or the reason of a refusal.
struct EnrollmentPages: Sendable {
    private let template = PageTemplate<Content>("enrollment")
    private let policy: String

    /// Prepares the policy of the pages.
    ///
    /// - Parameter deepLinks: The apps' addresses that the question's form may be redirected to. Browsers check them
    ///   against `form-action` (CSP Level 3 §6.4.1).
    init(deepLinks: [String]) {
        let apps = Set(deepLinks.compactMap(LandingPages.source)).sorted()
        policy = Response.scriptless(formTo: (["'self'"] + apps).joined(separator: " "))
    }

    /// Returns the page of an enrolment that leads to no app.
    func ended(_ end: EnrolmentEnd, in texts: LocalizedStrings) -> Response {
        switch end.result {
        case .success(let count):
            let lead: EnrollmentKey = count == 0 ? .addedNoCards : .addedLead
            var content = Content(.addedTitle, lead, of: end.bankName, in: texts)
            content.detailList = Self.detailList([(.bank, end.bankName), (.cardCount, String(count))], texts)
            return render(.ok, content, in: texts)
        case .failure(let fault):
            let words = Self.words(of: fault)
            var content = Content(words.title, words.lead, of: end.bankName, in: texts)
            content.code = fault.rawValue
            return render(Self.status(of: fault), content, in: texts)
        }
    }

    /// Returns the question whether the cards belong into that wallet (RFC 9700 §4.7); `owner` is the masked owner.
    func question(token: Secret, owner: String, bank: String, cards: [BankCard], in texts: LocalizedStrings) -> Response
    {
        let shown = cards.map { (EnrollmentKey.card, "\($0.network) •••• \($0.lastFour)") }
        let lead: EnrollmentKey = cards.isEmpty ? .questionNoCards : .questionLead
        var content = Content(.questionTitle, lead, of: bank, in: texts)
        content.detailList = Self.detailList([(.wallet, owner), (.bank, bank)] + shown, texts)
        content.token = token.expose()
        return render(.ok, content, in: texts)
    }

    /// Returns the page that says why nothing was added.
    ///
    /// It leads nowhere, since the client to tell is unknown (RFC 6749 §4.1.2.1).
    func refused(_ refusal: CallbackError, in texts: LocalizedStrings) -> Response {
        let lead: EnrollmentKey =
            switch refusal {
            case .unknown, .malformed: .unknownLead
            case .otherBank, .otherIssuer: .otherBankLead
            case .otherBrowser: .otherBrowserLead
            case .otherAccount: .otherAccountLead
            }
        var content = Content(.strangeTitle, lead, of: "", in: texts)
        content.code = refusal.rawValue
        return render(.badRequest, content, in: texts)
    }

    /// Returns the page for a request from another site's page.
    func crossSite(in texts: LocalizedStrings) -> Response {
        render(.forbidden, Content(.crossSiteTitle, .crossSiteLead, of: "", in: texts), in: texts)
    }

    /// Returns the page for a failure of this server.
    func fault(_ problem: APIError, in texts: LocalizedStrings) -> Response {
        let content =
            switch problem.status {
            case .tooManyRequests: Content(texts.page(MailPageKey.busy))
            case .serviceUnavailable: Content(texts.page(MailPageKey.serverDown))
            default: Content(title: texts[SignInKey.serverFaultTitle], lead: texts[SignInKey.serverFaultLead])
            }
        return render(problem.status, content, in: texts).retry(after: problem.retryAfter)
    }

    private static func words(of fault: BankLinkError) -> (title: EnrollmentKey, lead: EnrollmentKey) {
        switch fault {
        case .userCancelled: (.cancelledTitle, .cancelledLead)
        case .bankUnavailable: (.unavailableTitle, .unavailableLead)
        case .bankRefused: (.refusedTitle, .refusedLead)
        case .stateExpired: (.expiredTitle, .expiredLead)
        case .stateUsed: (.usedTitle, .usedLead)
        case .accountUnavailable: (.accountTitle, .accountLead)
        }
    }

    private static func status(of fault: BankLinkError) -> HTTPResponse.Status {
        switch fault {
        case .userCancelled, .bankRefused: .ok
        case .bankUnavailable: .serviceUnavailable
        case .stateExpired, .stateUsed: .gone
        case .accountUnavailable: .forbidden
        }
    }

    private static func detailList(_ details: [(EnrollmentKey, String)], _ texts: LocalizedStrings) -> DetailList {
        DetailList(details.map { (texts[$0.0], $0.1) })
    }

    private func render(_ status: HTTPResponse.Status, _ content: Content, in texts: LocalizedStrings) -> Response {
        // The page's address has the bank's code, which no other site may see: the policy sends a referrer to this site
        // alone.
        .page(ByteBuffer(string: template.render(content, in: texts)), status, policy: policy, in: texts)
    }
}

extension EnrollmentPages {
    /// The content of `pages/enrollment.mustache`.
    struct Content: Sendable {
        let title: String
        let lead: String
        /// The page's code for programs, if nothing was added.
        var code: String?
        var detailList: DetailList?
        /// The question's token, for its two forms.
        var token: String?
    }
}

extension EnrollmentPages.Content {
    init(_ strings: PageStrings) { self.init(title: strings.title, lead: strings.body) }

    /// The bank's name comes from the operator but may have any character: the template escapes it.
    init(_ title: EnrollmentKey, _ lead: EnrollmentKey, of bank: String, in texts: LocalizedStrings) {
        self.init(title: texts.text(title, with: bank), lead: texts.text(lead, with: bank))
    }
}
