import HTTPTypes
import Hummingbird
import Kernel
import Mustache
import NIOCore
import OAuth
import Operations

/// The pages on which a person lets a device in, in the visitor's language.
struct DevicePages: Sendable {
    /// What the site calls itself.
    private let site: String
    private let templates: [Kind: MustacheTemplate]

    private enum Kind: CaseIterable {
        case signIn, ask, question, notice

        var markup: String {
            switch self {
            case .signIn: DeviceTemplates.signIn
            case .ask: DeviceTemplates.ask
            case .question: DeviceTemplates.question
            case .notice: DeviceTemplates.notice
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

    /// The page that asks the visitor to sign in first; `code` comes along.
    func signIn(_ code: String, in texts: Texts) -> Response {
        response(.signIn, ["title": texts.device[.signInTitle] ?? "", "code": code], in: texts)
    }

    /// The page that asks for the code; `code`: what its field has in it.
    func ask(_ code: String, isWrong: Bool = false, in texts: Texts) -> Response {
        let values: [String: Any] = [
            "title": texts.device[.askTitle] ?? "", "code": code, "isWrong": isWrong,
            "fault": isWrong ? texts.device[.codeWrong] ?? "" : "",
        ]
        return response(.ask, values, isWrong ? .badRequest : .ok, in: texts)
    }

    /// What ``question(_:in:)`` shows.
    struct Question {
        let code: String
        let client: OAuthClient
        let scopes: ScopeSet
        let resources: [String]
        let origin: DeviceAuthorization.Origin
        /// Whether the device asked from where the visitor is; `nil` where either is not known.
        let isSameNetwork: Bool?
        let age: Duration
        /// Whose account it is.
        let person: String
        /// What stands for the account in the form.
        let mark: String
    }

    /// The page that asks whether the device may have what it asks for.
    func question(_ question: Question, in texts: Texts) -> Response {
        response(.question, Self.values(of: question, texts), in: texts)
    }

    /// The markup of the same.
    func markup(of question: Question, in texts: Texts) -> String {
        markup(.question, Self.values(of: question, texts), in: texts)
    }

    private static func values(of question: Question, _ texts: Texts) -> [String: Any] {
        let (words, name) = (texts.authorization, question.client.name)
        return [
            "title": say(texts.device[.questionTitle], name), "code": question.code, "mark": question.mark,
            "lead": say(words[.consentLead], name),
            "scopes": ScopeSentences.of(question.scopes, question.resources, in: words).map { ["text": $0] },
            "facts": facts(question, texts).map { ["label": $0.0, "value": $0.1] },
            "isStrange": !question.client.origin.isFirstParty, "strange": say(words[.strange], name),
        ]
    }

    func notice(_ notice: DeviceNotice, in texts: Texts) -> Response {
        let (title, lead) = notice.words(texts)
        let values: [String: Any] = ["title": title, "lead": Self.say(lead, notice.client)]
        return response(.notice, values, notice.status, in: texts)
    }

    private static func facts(_ question: Question, _ texts: Texts) -> [(String, String)] {
        let (words, origin) = (texts.confirm, question.origin)
        let shown = { (text: String) in text.isEmpty ? words.unknown : text }
        let minutes = question.age.wholeMilliseconds / 60_000
        let age = minutes == 0 ? words.justNow : words.minutesAgo.replacing("%", with: "\(minutes)")
        return [
            (texts.authorization[.account] ?? "", question.person), (words.address, address(question, texts)),
            (words.agent, shown(origin.agent)), (words.started, age),
        ]
    }

    /// Where the device asked from, and whether that is near: somebody else's device hardly ever is
    /// (draft-ietf-oauth-cross-device-security, "Establish Proximity").
    private static func address(_ question: Question, _ texts: Texts) -> String {
        let address = question.origin.address
        guard !address.isEmpty else { return texts.confirm.unknown }
        guard let isSame = question.isSameNetwork else { return address }
        return say(texts.device[isSame ? .sameNetwork : .otherNetwork], address)
    }

    /// A word with a name in it, which the template escapes.
    private static func say(_ word: String?, _ name: String) -> String { (word ?? "").replacing("%", with: name) }

    private func markup(_ kind: Kind, _ values: [String: Any], in texts: Texts) -> String {
        let frame: [String: Any] = [
            "language": texts.language, "site": site,
            "assets": "assets/\(SiteAssets.byLanguage[texts.language]?.version ?? "")",
            "say": Dictionary(uniqueKeysWithValues: texts.site.words.map { ($0.key.rawValue, $0.value) }),
            "own": Dictionary(uniqueKeysWithValues: texts.authorization.map { ($0.key.rawValue, $0.value) }),
            "device": Dictionary(uniqueKeysWithValues: texts.device.map { ($0.key.rawValue, $0.value) }),
        ]
        return templates[kind]?.render(values.merging(frame) { own, _ in own }) ?? ""
    }

    private func response(
        _ kind: Kind,
        _ values: [String: Any],
        _ status: HTTPResponse.Status = .ok,
        in texts: Texts
    ) -> Response {
        var response = Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: SitePages.policy],
            body: ResponseBody(byteBuffer: ByteBuffer(string: markup(kind, values, in: texts)))
        )
        response.say(in: texts)
        response.headers[our: .crossOriginOpenerPolicy] = "same-origin"
        // Not `no-referrer`: that would make a same-origin POST say `Origin: null` (Fetch §3.1).
        response.headers[our: .referrerPolicy] = "same-origin"
        return response
    }
}

/// A page of devices that has nothing to press.
enum DeviceNotice: Equatable {
    /// With the client's name.
    case allowed(String)
    case denied(String)
    case busy, tooManyTries, crossSite, serverDown, serverFault

    static func fault(of problem: Problem) -> DeviceNotice {
        if case .rateLimited(_, by: .userCodes?) = problem { return .tooManyTries }
        return switch problem.status {
        case .tooManyRequests: .busy
        case .serviceUnavailable: .serverDown
        default: .serverFault
        }
    }

    var status: HTTPResponse.Status {
        switch self {
        case .allowed, .denied: .ok
        case .busy, .tooManyTries: .tooManyRequests
        case .crossSite: .forbidden
        case .serverDown: .serviceUnavailable
        case .serverFault: .internalServerError
        }
    }

    var client: String {
        switch self {
        case .allowed(let name), .denied(let name): name
        case .busy, .tooManyTries, .crossSite, .serverDown, .serverFault: ""
        }
    }

    func words(_ texts: Texts) -> (title: String, lead: String) {
        let (own, device) = (texts.authorization, texts.device)
        let words =
            switch self {
            case .allowed: (device[.allowedTitle], device[.allowedLead])
            case .denied: (device[.deniedTitle], device[.deniedLead])
            case .busy: (own[.busyTitle], own[.busyLead])
            case .tooManyTries: (device[.triesTitle], device[.triesLead])
            case .crossSite: (own[.crossSiteTitle], own[.crossSiteLead])
            case .serverDown: (own[.serverDownTitle], own[.serverDownLead])
            case .serverFault: (own[.serverFaultTitle], own[.serverFaultLead])
            }
        return (words.0 ?? "", words.1 ?? "")
    }
}
