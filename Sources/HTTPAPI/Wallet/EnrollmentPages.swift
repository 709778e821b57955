import CodeFlow
import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import Wallet
import Web

/// The pages for a browser that returns from a bank: the result, the question whose wallet it is, or a refusal.
struct EnrollmentPages: Sendable {
    private let template = PageTemplate<Content>("enrollment")
    /// The addresses to which a form may lead.
    private let forms: String
    private let root: String

    /// Prepares the content security policy of the pages.
    ///
    /// - Parameters:
    ///   - deepLinks: The apps' addresses to which the question's form may redirect. Browsers check them against
    ///     `form-action` (CSP Level 3 §6.4.1).
    ///   - root: The path of the icons' folder.
    init(deepLinks: [String], root: String = "/") {
        self.root = root
        let apps = Set(deepLinks.compactMap(LandingPages.source)).sorted()
        forms = (["'self'"] + apps).joined(separator: " ")
    }

    /// Returns the page of a finished enrolment that does not lead back to an app.
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

    /// Returns the question whether to add the cards to the wallet of the masked `owner` (RFC 9700 §4.7).
    func question(token: Secret, owner: String, bank: String, cards: [BankCard], in texts: LocalizedStrings) -> Response
    {
        let shown = cards.map { (EnrollmentKey.card, "\($0.network) •••• \($0.lastFour)") }
        let lead: EnrollmentKey = cards.isEmpty ? .questionNoCards : .questionLead
        var content = Content(.questionTitle, lead, of: bank, in: texts)
        content.detailList = Self.detailList([(.wallet, owner), (.bank, bank)] + shown, texts)
        content.token = token.expose()
        return render(.ok, content, in: texts)
    }

    /// Returns the page that explains why no cards were added.
    ///
    /// It leads to no other page, because the client to tell is unknown (RFC 6749 §4.1.2.1).
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

    /// Returns the page for a form that another site's page sent.
    func crossSite(in texts: LocalizedStrings) -> Response {
        render(.forbidden, Content(.crossSiteTitle, .crossSiteLead, of: "", in: texts), in: texts)
    }

    /// Returns the page for an error of this server.
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
        // The page's address contains the bank's code, which no other site may see: the policy allows a referrer only
        // within this site.
        let policy = Response.scriptless(formTo: forms, under: texts.brand)
        let markup = ByteBuffer(string: template.render(content, in: texts, root: root))
        return .page(markup, status, policy: policy, in: texts)
    }
}

extension EnrollmentPages {
    /// The content of `pages/enrollment.mustache`.
    struct Content: Sendable {
        let title: String
        let lead: String
        /// The error code for programs, if no cards were added.
        var code: String?
        var detailList: DetailList?
        /// The question's token, for its two forms.
        var token: String?
    }
}

extension EnrollmentPages.Content {
    init(_ strings: PageStrings) { self.init(title: strings.title, lead: strings.body) }

    /// The template escapes the bank's name, which comes from the operator and may contain any character.
    init(_ title: EnrollmentKey, _ lead: EnrollmentKey, of bank: String, in texts: LocalizedStrings) {
        self.init(title: texts.text(title, with: bank), lead: texts.text(lead, with: bank))
    }
}
