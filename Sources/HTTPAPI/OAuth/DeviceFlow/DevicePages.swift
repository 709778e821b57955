import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import OAuth
import Operations
import Web

/// The pages on which a person allows a device, in the visitor's language.
struct DevicePages: Sendable {
    private let signIn = PageTemplate<DeviceCodeContent>("device-sign-in")
    private let code = PageTemplate<DeviceCodeContent>("device-code")
    private let question = PageTemplate<DeviceQuestionContent>("device-question")
    private let notice = PageTemplate<SignInNoticeContent>("sign-in-notice")

    /// Returns the page that asks the visitor to sign in first, with `code` in its form.
    func signIn(_ code: String, in texts: LocalizedStrings) -> Response {
        let content = DeviceCodeContent(title: texts[DeviceTextKey.signInTitle], code: code, fault: nil)
        return response(signIn, content, in: texts)
    }

    /// Returns the page that asks for the code, with `code` in its field.
    func ask(_ code: String, isWrong: Bool = false, in texts: LocalizedStrings) -> Response {
        let fault = isWrong ? texts[DeviceTextKey.codeWrong] : nil
        let content = DeviceCodeContent(title: texts[DeviceTextKey.askTitle], code: code, fault: fault)
        return response(self.code, content, status: isWrong ? .badRequest : .ok, in: texts)
    }

    /// The values of ``question(_:in:)``.
    struct Question {
        let code: String
        let client: OAuthClient
        let access: RequestedAccess
        let origin: DeviceAuthorization.Origin
        /// Whether device and visitor have the same network; `nil` if either network is unknown.
        let isSameNetwork: Bool?
        let age: Duration
        /// The name of the visitor's account.
        let person: String
        /// The keyed hash of the account in the form.
        let mark: String
    }

    /// Returns the page that asks whether to allow the device.
    func question(_ question: Question, in texts: LocalizedStrings) -> Response {
        response(self.question, Self.content(of: question, texts), in: texts)
    }

    /// Returns the markup of ``question(_:in:)``.
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
            scopes: ScopeSentences.of(question.access.scopes, question.access.resources, in: texts),
            detailList: detailList(question, texts),
            warning: client.origin.isFirstParty ? nil : texts.text(SignInKey.strange, with: client.name)
        )
    }

    func notice(_ notice: DeviceNotice, in texts: LocalizedStrings) -> Response {
        let (title, lead) = notice.words(texts)
        let content = SignInNoticeContent(title: title, lead: lead.replacing("%", with: notice.client), isLive: true)
        return response(self.notice, content, status: notice.status, in: texts)
    }

    private static func detailList(_ question: Question, _ texts: LocalizedStrings) -> DetailList {
        let address = address(question, texts)
        let agent = OriginText.agent(question.origin.agent, in: texts)
        let rows = [
            (texts[SignInKey.account], question.person), (texts[ConfirmKey.address], address),
            (texts[ConfirmKey.agent], agent), (texts[ConfirmKey.started], ConfirmPage.age(question.age, in: texts)),
        ]
        return DetailList(rows.filter { !$0.1.isEmpty })
    }

    /// Returns the device's address, and whether it is on the visitor's network; an empty text if it is unknown.
    ///
    /// An attacker's device rarely is (draft-ietf-oauth-cross-device-security, "Establish Proximity").
    private static func address(_ question: Question, _ texts: LocalizedStrings) -> String {
        let address = question.origin.address
        guard !address.isEmpty, let isSame = question.isSameNetwork else { return address }
        guard isSame else { return texts.text(DeviceTextKey.otherNetwork, with: address) }
        // Both are on one network, so that words for the one are true for the other.
        let place = OriginText.place(address, seenFrom: NetworkAddress(address), in: texts)
        return place == address ? texts.text(DeviceTextKey.sameNetwork, with: address) : place
    }

    private func frame(_ texts: LocalizedStrings) -> SiteFrame {
        SiteFrame(assets: "assets/\(WebAssets.version(in: texts))")
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

/// A device page without buttons.
enum DeviceNotice: Equatable {
    /// The device of the client with this name is allowed.
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
    /// The error message about the typed code.
    let fault: String?
}

/// The content of `pages/device-question.mustache`, which asks whether to allow a device.
struct DeviceQuestionContent: Sendable {
    let title: String
    let code: String
    /// The keyed hash of the account in the form.
    let mark: String
    let lead: String
    let scopes: [String]
    let detailList: DetailList
    let warning: String?
}
