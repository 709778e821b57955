import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import OAuth
import Operations
import Web

/// The pages on which a person lets a device in, in the visitor's language.
struct DevicePages: Sendable {
    /// What the site calls itself.
    private let site: String
    private let signIn = PageTemplate<DeviceCodeContent>("device-sign-in")
    private let code = PageTemplate<DeviceCodeContent>("device-code")
    private let question = PageTemplate<DeviceQuestionContent>("device-question")
    private let notice = PageTemplate<SignInNoticeContent>("sign-in-notice")

    init(site: String) { self.site = site }

    /// The page that asks the visitor to sign in first; `code` comes along.
    func signIn(_ code: String, in texts: LocalizedStrings) -> Response {
        let content = DeviceCodeContent(title: texts[DeviceTextKey.signInTitle], code: code, fault: nil)
        return response(signIn, content, in: texts)
    }

    /// The page that asks for the code; `code`: what its field has in it.
    func ask(_ code: String, isWrong: Bool = false, in texts: LocalizedStrings) -> Response {
        let fault = isWrong ? texts[DeviceTextKey.codeWrong] : nil
        let content = DeviceCodeContent(title: texts[DeviceTextKey.askTitle], code: code, fault: fault)
        return response(self.code, content, status: isWrong ? .badRequest : .ok, in: texts)
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
    func question(_ question: Question, in texts: LocalizedStrings) -> Response {
        response(self.question, Self.content(of: question, texts), in: texts)
    }

    /// The markup of the same.
    func markup(of question: Question, in texts: LocalizedStrings) -> String {
        self.question.render(Self.content(of: question, texts), in: texts, site: frame(texts))
    }

    private static func content(of question: Question, _ texts: LocalizedStrings) -> DeviceQuestionContent {
        let client = question.client
        return DeviceQuestionContent(
            title: texts.text(DeviceTextKey.questionTitle, with: client.name),
            code: question.code,
            mark: question.mark,
            lead: texts.text(SignInKey.consentLead, with: client.name),
            scopes: ScopeSentences.of(question.scopes, question.resources, in: texts),
            environment: environment(question, texts),
            warning: client.origin.isFirstParty ? nil : texts.text(SignInKey.strange, with: client.name)
        )
    }

    func notice(_ notice: DeviceNotice, in texts: LocalizedStrings) -> Response {
        let (title, lead) = notice.words(texts)
        let content = SignInNoticeContent(title: title, lead: lead.replacing("%", with: notice.client), isLive: true)
        return response(self.notice, content, status: notice.status, in: texts)
    }

    private static func environment(_ question: Question, _ texts: LocalizedStrings) -> DetailList {
        DetailList([
            (texts[SignInKey.account], question.person), (texts[ConfirmKey.address], address(question, texts)),
            (texts[ConfirmKey.agent], ConfirmPage.shown(question.origin.agent, texts)),
            (texts[ConfirmKey.started], ConfirmPage.age(question.age, in: texts)),
        ])
    }

    /// Where the device asked from, and whether that is near: somebody else's device hardly ever is
    /// (draft-ietf-oauth-cross-device-security, "Establish Proximity").
    private static func address(_ question: Question, _ texts: LocalizedStrings) -> String {
        let address = question.origin.address
        guard !address.isEmpty else { return texts[ConfirmKey.unknown] }
        guard let isSame = question.isSameNetwork else { return address }
        return texts.text(isSame ? DeviceTextKey.sameNetwork : .otherNetwork, with: address)
    }

    private func frame(_ texts: LocalizedStrings) -> SiteFrame {
        SiteFrame(name: site, assets: "assets/\(SiteAssets.version(in: texts))")
    }

    private func response<Content>(
        _ template: PageTemplate<Content>,
        _ content: Content,
        status: HTTPResponse.Status = .ok,
        in texts: LocalizedStrings
    ) -> Response {
        .sitePage(ByteBuffer(string: template.render(content, in: texts, site: frame(texts))), status, in: texts)
    }
}

/// A page of devices that has nothing to press.
enum DeviceNotice: Equatable {
    /// With the client's name.
    case allowed(String)
    case denied(String)
    case busy, tooManyTries, crossSite, serverDown, serverFault

    static func fault(of problem: APIError) -> DeviceNotice {
        if problem.counted == .limit(.userCodes) { return .tooManyTries }
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

    func words(_ texts: LocalizedStrings) -> (title: String, lead: String) {
        switch self {
        case .allowed: (texts[DeviceTextKey.allowedTitle], texts[DeviceTextKey.allowedLead])
        case .denied: (texts[DeviceTextKey.deniedTitle], texts[DeviceTextKey.deniedLead])
        case .busy: (texts[SignInKey.busyTitle], texts[SignInKey.busyLead])
        case .tooManyTries: (texts[DeviceTextKey.triesTitle], texts[DeviceTextKey.triesLead])
        case .crossSite: (texts[SignInKey.crossSiteTitle], texts[SignInKey.crossSiteLead])
        case .serverDown: (texts[SignInKey.serverDownTitle], texts[SignInKey.serverDownLead])
        case .serverFault: (texts[SignInKey.serverFaultTitle], texts[SignInKey.serverFaultLead])
        }
    }
}

/// The content of `pages/device-sign-in.mustache` and `pages/device-code.mustache`.
struct DeviceCodeContent: Sendable {
    let title: String
    let code: String
    /// The fault of the code.
    let fault: String?
}

/// The content of `pages/device-question.mustache`, which asks whether to let a device in.
struct DeviceQuestionContent: Sendable {
    let title: String
    let code: String
    /// The mark of the account in the form.
    let mark: String
    let lead: String
    let scopes: [String]
    let environment: DetailList
    let warning: String?
}
