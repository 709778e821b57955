import HTTPTypes
import Hummingbird
import Kernel
import Mustache
import NIOCore
import OAuth
import Operations

/// The pages of an authorization request, in the visitor's language.
struct SignInPages: Sendable {
    /// What the site calls itself.
    private let site: String
    private let templates: [Kind: MustacheTemplate]

    private enum Kind: CaseIterable {
        case choice, wait, failed, consent, onward, notice

        var markup: String {
            switch self {
            case .choice: SignInTemplates.choice
            case .wait: SignInTemplates.wait
            case .failed: SignInTemplates.failed
            case .consent: SignInTemplates.consent
            case .onward: SignInTemplates.onward
            case .notice: SignInTemplates.notice
            }
        }
    }

    init(site: String) {
        self.site = site
        var templates: [Kind: MustacheTemplate] = [:]
        // Our own text, which a test renders: it parses.
        for kind in Kind.allCases { templates[kind] = PageMarkup.template(kind.markup) }
        self.templates = templates
    }

    /// The page that asks for a way to sign in.
    ///
    /// `ways`: those that are offered; `fault`: what is wrong with the address that was typed.
    func choice(_ choice: Choice, of client: String, at place: SignInPlace, in texts: Texts) -> Response {
        let words = texts.authorization
        let only = choice.ways.count == 1 ? choice.ways.first : nil
        var values: [String: Any] = [
            "title": say(choice.isSecond ? .oneMoreTitle : .title, client, words),
            "lead": say(Self.lead(choice, only), client, words), "hasPasskey": choice.ways.contains(.passkey),
            "hasFace": choice.ways.contains(.face), "hint": choice.email, "hasFault": choice.fault != nil,
            "fault": choice.fault.map { words[$0] ?? "" } ?? "", "script": "authorize.js",
            "autocomplete": choice.ways.contains(.passkey) ? "username webauthn" : "email",
        ]
        values["cancel"] = say(.cancel, client, words)
        return response(.choice, values, choice.fault == nil ? .ok : .badRequest, at: place, in: texts)
    }

    /// What ``choice(_:of:at:in:)`` shows.
    struct Choice {
        let ways: Set<SignInWay>
        /// Whether one was gone already.
        let isSecond: Bool
        let email: String
        var fault: SignInWord?
    }

    private static func lead(_ choice: Choice, _ only: SignInWay?) -> SignInWord {
        guard choice.isSecond else { return .lead }
        return only == .passkey ? .oneMorePasskey : .oneMoreFace
    }

    /// The page that waits for a scan.
    func wait(_ wait: Wait, of client: String, at place: SignInPlace, in texts: Texts) -> Response {
        let words = texts.site.words
        let now = Self.hints.firstIndex(of: wait.hint)
        let steps = [SiteWord.stepOpen, .stepStart, .stepScan, .stepJudge].enumerated().map { index, word in
            [
                "text": words[word] ?? "", "isPast": now.map { index < $0 } ?? false, "isNow": index == now,
            ] as [String: Any]
        }
        var values: [String: Any] = [
            "title": words[.waitingTitle] ?? "", "isElsewhere": wait.number != nil, "number": wait.number ?? "",
            "hasScan": wait.scan != nil, "scan": wait.scan ?? "", "left": "\(wait.timeLeft.secondsRoundedUp)",
            "steps": steps, "script": "authorize-wait.js",
        ]
        values["cancel"] = say(.cancel, client, texts.authorization)
        values["status"] =
            wait.hint == .providerDegraded ? texts.site.scriptWords[.providerDegraded] ?? "" : ""
        return response(.wait, values, at: place, in: texts)
    }

    /// What ``wait(_:of:at:in:)`` shows.
    struct Wait {
        let hint: PendingHint
        let timeLeft: Duration
        /// The address of the scan's page; `nil` for a browser that does not have it.
        let scan: String?
        /// The digits to carry over to another device; `nil` where the scan is on this one.
        let number: String?
    }

    /// In the order of the steps that the page lists.
    private static let hints: [PendingHint] = [.created, .linkOpened, .userInProvider, .processing]

    /// The page of a scan that signed nobody in.
    func failed(_ code: FailureCode, of client: String, at place: SignInPlace, in texts: Texts) -> Response {
        let values: [String: Any] = [
            "title": texts.site.words[.notSignedIn] ?? "", "text": texts.failure(code), "hasCode": true,
            "code": code.rawValue, "cancel": say(.cancel, client, texts.authorization),
        ]
        return response(.failed, values, at: place, in: texts)
    }

    /// The page that asks whether a client may have what it asks for.
    func consent(_ consent: Consent, of client: OAuthClient, at place: SignInPlace, in texts: Texts) -> Response {
        let words = texts.authorization
        let isOwn = client.origin.isFirstParty && consent.scopes.isEmpty
        let facts = [(words[.account] ?? "", consent.person), (words[.goesTo] ?? "", consent.address)]
        let values: [String: Any] = [
            "title": say(isOwn ? .continueTitle : .consentTitle, client.name, words),
            "lead": say(isOwn ? .continueLead : .consentLead, client.name, words),
            "hasScopes": !consent.scopes.isEmpty, "scopes": consent.scopes.map { ["text": $0] },
            "facts": facts.map { ["label": $0.0, "value": $0.1] }, "mark": consent.mark,
            "agree": words[isOwn ? .goOn : .allow] ?? "", "isStrange": !client.origin.isFirstParty,
            "warning": say(.strange, client.name, words),
        ]
        return response(.consent, values, at: place, in: texts)
    }

    /// What ``consent(_:of:at:in:)`` shows.
    struct Consent {
        /// What each scope gives, in words; empty where the person is only asked whether to go on.
        let scopes: [String]
        /// Whose account it is.
        let person: String
        /// Where the browser goes back to.
        let address: String
        /// What stands for the account in the form.
        let mark: String
    }

    /// The answer to a form that leads on to that address.
    func onward(to next: String, at place: SignInPlace, in texts: Texts) -> Response {
        let words = texts.authorization
        let values: [String: Any] = [
            "title": words[.onwardTitle] ?? "", "lead": words[.onwardLead] ?? "", "next": next,
        ]
        return response(.onward, values, at: place, in: texts)
    }

    func notice(_ notice: SignInNotice, at place: SignInPlace, in texts: Texts) -> Response {
        let (title, lead) = notice.words
        let values: [String: Any] = [
            "title": texts.authorization[title] ?? "", "lead": texts.authorization[lead] ?? "",
        ]
        return response(.notice, values, notice.status, at: place, in: texts)
    }

    /// A word with the client's name in it, which the template escapes.
    private func say(_ word: SignInWord, _ client: String, _ words: [SignInWord: String]) -> String {
        (words[word] ?? "").replacing("%", with: client)
    }

    private func response(
        _ kind: Kind,
        _ values: [String: Any],
        _ status: HTTPResponse.Status = .ok,
        at place: SignInPlace,
        in texts: Texts
    ) -> Response {
        let frame: [String: Any] = [
            "language": texts.language, "site": site, "page": place.page,
            "assets": "\(place.assets)/\(SiteAssets.byLanguage[texts.language]?.version ?? "")",
            "say": Dictionary(uniqueKeysWithValues: texts.site.words.map { ($0.key.rawValue, $0.value) }),
            "own": Dictionary(uniqueKeysWithValues: texts.authorization.map { ($0.key.rawValue, $0.value) }),
        ]
        let text = templates[kind]?.render(values.merging(frame) { own, _ in own }) ?? ""
        var response = Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: SitePages.policy],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
        response.say(in: texts)
        // The scan's page is opened from here: it gets no hand on this one, and no address.
        response.headers[our: .crossOriginOpenerPolicy] = "same-origin"
        // Not `no-referrer`: that would make a same-origin POST say `Origin: null` (Fetch §3.1).
        response.headers[our: .referrerPolicy] = "same-origin"
        response.headers[our: .permissionsPolicy] = "publickey-credentials-get=(self), camera=(), microphone=()"
        return response
    }
}

/// A page of an authorization request that has nothing to press.
enum SignInNotice: CaseIterable {
    /// It has ended, never was, or is another browser's: nobody is told which.
    case over
    case busy, crossSite, serverDown, serverFault

    var status: HTTPResponse.Status {
        switch self {
        case .over: .gone
        case .busy: .tooManyRequests
        case .crossSite: .forbidden
        case .serverDown: .serviceUnavailable
        case .serverFault: .internalServerError
        }
    }

    var words: (title: SignInWord, lead: SignInWord) {
        switch self {
        case .over: (.overTitle, .overLead)
        case .busy: (.busyTitle, .busyLead)
        case .crossSite: (.crossSiteTitle, .crossSiteLead)
        case .serverDown: (.serverDownTitle, .serverDownLead)
        case .serverFault: (.serverFaultTitle, .serverFaultLead)
        }
    }
}

/// Where a page of an authorization request is: what it leads to is named from there, wherever a proxy has mounted it.
struct SignInPlace: Sendable {
    let id: String
    /// Whether it is the answer of an address below `/oauth/sign-in/{id}`.
    let isBelow: Bool

    /// `/oauth/sign-in/{id}`.
    var page: String { isBelow ? "../\(id)" : id }
    var assets: String { (isBelow ? "../" : "") + "../../assets" }
}
