import HTTPTypes
import Hummingbird
import Kernel
import Mustache
import NIOCore
import Wallet

/// What a person reads in a browser that is back from a bank: how it ended, the question whose wallet it is, or why nothing
/// comes of it.
struct EnrollmentPages: Sendable {
    private let template: MustacheTemplate?
    private let policy: String

    /// `deepLinks`: the apps' addresses that the question's form may be redirected to, which browsers check against
    /// `form-action` (CSP Level 3 §6.4.1).
    init(deepLinks: [String]) {
        // Our own text, which a test renders: it parses.
        template = PageMarkup.template(EnrollmentTemplates.page)
        let apps = Set(deepLinks.compactMap(LandingPages.source)).sorted()
        policy = [
            "default-src 'none'", "style-src \(LandingPages.hash(of: PageTemplates.style))",
            "form-action " + (["'self'"] + apps).joined(separator: " "), "frame-ancestors 'none'", "base-uri 'none'",
        ].joined(separator: "; ")
    }

    /// How an enrolment ended that leads to no app.
    func ended(_ end: EnrolmentEnd, in texts: Texts) -> Response {
        switch end.result {
        case .success(let count):
            let facts: [(EnrollmentWord, String)] = [(.bank, end.bankName), (.cardCount, String(count))]
            let lead: EnrollmentWord = count == 0 ? .addedNoCards : .addedLead
            return response(.ok, (.addedTitle, lead), end.bankName, Self.facts(facts, texts), texts)
        case .failure(let fault):
            let own: [String: Any] = ["hasCode": true, "code": fault.rawValue]
            return response(Self.status(of: fault), Self.words(of: fault), end.bankName, own, texts)
        }
    }

    /// Asks whether the cards belong into that wallet (RFC 9700 §4.7); `owner`: whose it is, masked.
    func question(token: Secret, owner: String, bank: String, cards: [BankCard], in texts: Texts) -> Response {
        let shown = cards.map { (EnrollmentWord.card, "\($0.network) •••• \($0.lastFour)") }
        var own = Self.facts([(.wallet, owner), (.bank, bank)] + shown, texts)
        own["asks"] = true
        own["token"] = token.expose()
        let lead: EnrollmentWord = cards.isEmpty ? .questionNoCards : .questionLead
        return response(.ok, (.questionTitle, lead), bank, own, texts)
    }

    /// Says why nothing comes of it; it leads nowhere, for nobody knows who is to be told (RFC 6749 §4.1.2.1).
    func refused(_ refusal: ArrivalRefusal, in texts: Texts) -> Response {
        let lead: EnrollmentWord =
            switch refusal {
            case .unknown, .malformed: .unknownLead
            case .otherBank, .otherIssuer: .otherBankLead
            case .otherBrowser: .otherBrowserLead
            case .otherAccount: .otherAccountLead
            }
        let own: [String: Any] = ["hasCode": true, "code": refusal.rawValue]
        return response(.badRequest, (.strangeTitle, lead), "", own, texts)
    }

    /// Another site's page wanted this.
    func crossSite(in texts: Texts) -> Response {
        response(.forbidden, (.crossSiteTitle, .crossSiteLead), "", [:], texts)
    }

    /// For what goes wrong here.
    func fault(_ problem: Problem, in texts: Texts) -> Response {
        let words: (title: String, body: String) =
            switch problem.status {
            case .tooManyRequests: (texts.mail.busy.title, texts.mail.busy.body)
            case .serviceUnavailable: (texts.mail.serverDown.title, texts.mail.serverDown.body)
            default: (texts.authorization[.serverFaultTitle] ?? "", texts.authorization[.serverFaultLead] ?? "")
            }
        var response = render(problem.status, ["title": words.title, "lead": words.body], texts)
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private static func words(of fault: EnrolmentFault) -> (title: EnrollmentWord, lead: EnrollmentWord) {
        switch fault {
        case .userCancelled: (.cancelledTitle, .cancelledLead)
        case .bankUnavailable: (.unavailableTitle, .unavailableLead)
        case .bankRefused: (.refusedTitle, .refusedLead)
        case .stateExpired: (.expiredTitle, .expiredLead)
        case .stateUsed: (.usedTitle, .usedLead)
        case .accountUnavailable: (.accountTitle, .accountLead)
        }
    }

    private static func status(of fault: EnrolmentFault) -> HTTPResponse.Status {
        switch fault {
        case .userCancelled, .bankRefused: .ok
        case .bankUnavailable: .serviceUnavailable
        case .stateExpired, .stateUsed: .gone
        case .accountUnavailable: .forbidden
        }
    }

    private static func facts(_ facts: [(EnrollmentWord, String)], _ texts: Texts) -> [String: Any] {
        let shown = facts.map { ["label": texts.enrollment[$0.0] ?? "", "value": $0.1] }
        return ["hasFacts": true, "facts": shown]
    }

    private func response(
        _ status: HTTPResponse.Status,
        _ words: (title: EnrollmentWord, lead: EnrollmentWord),
        _ bank: String,
        _ own: [String: Any],
        _ texts: Texts
    ) -> Response {
        // The template escapes the bank's name, which is the operator's but may have any character.
        let say = { (word: EnrollmentWord) in (texts.enrollment[word] ?? "").replacing("%", with: bank) }
        let values: [String: Any] = ["title": say(words.title), "lead": say(words.lead)]
        return render(status, values.merging(own) { _, own in own }, texts)
    }

    private func render(_ status: HTTPResponse.Status, _ own: [String: Any], _ texts: Texts) -> Response {
        let frame: [String: Any] = [
            "language": texts.language, "style": PageTemplates.style,
            "own": Dictionary(uniqueKeysWithValues: texts.enrollment.map { ($0.key.rawValue, $0.value) }),
        ]
        let html = template?.render(own.merging(frame) { own, _ in own }) ?? ""
        var response = Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy, .cacheControl: "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html))
        )
        // With `no-referrer` the form of the page would say `Origin: null` (Fetch §3.1). The page's address has the bank's
        // code, which no other site is to see.
        response.headers[our: .referrerPolicy] = "same-origin"
        response.say(in: texts)
        return response
    }
}
