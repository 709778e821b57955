import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import OAuth
import Operations
import Web

/// The pages of an authorization request, in the visitor's language.
struct SignInPages: Sendable {
    /// The site's display name.
    private let site: String
    private let choice = PageTemplate<SignInChoiceContent>("sign-in-choice")
    private let wait = PageTemplate<SignInWaitContent>("sign-in-wait")
    private let failed = PageTemplate<SignInFailedContent>("sign-in-failed")
    private let consent = PageTemplate<SignInConsentContent>("sign-in-consent")
    private let onward = PageTemplate<SignInOnwardContent>("sign-in-onward")
    private let notice = PageTemplate<SignInNoticeContent>("sign-in-notice")

    init(site: String) { self.site = site }

    /// Returns the page that asks for a way to sign in.
    func choice(
        _ choice: Choice,
        of client: String,
        at location: PageLocation,
        in texts: LocalizedStrings
    ) -> Response {
        let only = choice.ways.count == 1 ? choice.ways.first : nil
        let content = SignInChoiceContent(
            title: texts.text(choice.isSecond ? SignInKey.oneMoreTitle : .title, with: client),
            lead: texts.text(Self.lead(choice, only), with: client),
            page: location.page,
            offersPasskey: choice.ways.contains(.passkey),
            offersFace: choice.ways.contains(.face),
            email: choice.email,
            fault: choice.fault.map { texts[$0] },
            cancel: texts.text(SignInKey.cancel, with: client)
        )
        return response(self.choice, content, status: choice.fault == nil ? .ok : .badRequest, at: location, in: texts)
    }

    /// The values of ``choice(_:of:at:in:)``.
    struct Choice {
        /// The ways that the page offers.
        let ways: Set<SignInWay>
        /// Whether the person has already signed in one way.
        let isSecond: Bool
        let email: String
        /// The error message about the typed e-mail address.
        var fault: SignInKey?
    }

    private static func lead(_ choice: Choice, _ only: SignInWay?) -> SignInKey {
        guard choice.isSecond else { return .lead }
        return only == .passkey ? .oneMorePasskey : .oneMoreFace
    }

    /// Returns the page that waits for a scan.
    func wait(_ wait: Wait, of client: String, at location: PageLocation, in texts: LocalizedStrings) -> Response {
        let now = Self.hints.firstIndex(of: wait.hint)
        let steps = [SiteKey.stepOpen, .stepStart, .stepScan, .stepJudge].enumerated().map { index, key in
            SignInWaitContent.Step(name: texts[key], isPast: now.map { index < $0 } ?? false, isNow: index == now)
        }
        let content = SignInWaitContent(
            title: texts[SiteKey.waitingTitle],
            page: location.page,
            secondsLeft: wait.timeLeft.secondsRoundedUp,
            number: wait.number,
            scan: wait.scan,
            steps: steps,
            status: wait.hint == .providerDegraded ? texts[ScriptKey.providerDegraded] : nil,
            cancel: texts.text(SignInKey.cancel, with: client)
        )
        return response(self.wait, content, at: location, in: texts)
    }

    /// The values of ``wait(_:of:at:in:)``.
    struct Wait {
        let hint: PendingHint
        let timeLeft: Duration
        /// The address of the scan's page; `nil` for a browser without the cookie that has its ticket.
        let scan: String?
        /// The digits to type on another device; `nil` for a scan on this one.
        let number: String?
    }

    /// The hints in the order of the page's steps.
    private static let hints: [PendingHint] = [.created, .linkOpened, .userInProvider, .processing]

    /// Returns the page of a failed scan.
    func failed(
        _ code: FailureCode,
        of client: String,
        at location: PageLocation,
        in texts: LocalizedStrings
    ) -> Response {
        let content = SignInFailedContent(
            title: texts[SiteKey.notSignedIn],
            code: code.rawValue,
            sentence: texts.failure(code),
            page: location.page,
            cancel: texts.text(SignInKey.cancel, with: client)
        )
        return response(failed, content, at: location, in: texts)
    }

    /// Returns the page that asks for consent.
    func consent(
        _ consent: Consent,
        of client: OAuthClient,
        at location: PageLocation,
        in texts: LocalizedStrings
    ) -> Response {
        let isOwn = client.origin.isFirstParty && consent.scopes.isEmpty
        let content = SignInConsentContent(
            title: texts.text(isOwn ? SignInKey.continueTitle : .consentTitle, with: client.name),
            lead: texts.text(isOwn ? SignInKey.continueLead : .consentLead, with: client.name),
            scopes: consent.scopes.isEmpty ? nil : ScopeList(sentences: consent.scopes),
            detailList: DetailList([
                (texts[SignInKey.account], consent.person), (texts[SignInKey.goesTo], consent.address),
            ]),
            warning: client.origin.isFirstParty ? nil : texts.text(SignInKey.strange, with: client.name),
            agree: texts[isOwn ? SignInKey.proceed : .allow],
            mark: consent.mark,
            page: location.page
        )
        return response(self.consent, content, at: location, in: texts)
    }

    /// The values of ``consent(_:of:at:in:)``.
    struct Consent {
        /// A sentence for each scope; empty if the page only asks the person to continue.
        let scopes: [String]
        /// The name of the account.
        let person: String
        /// The destination of the browser after consent.
        let address: String
        /// The keyed hash of the account in the form.
        let mark: String
    }

    /// Returns the answer to a form that continues at an address.
    func onward(to next: String, at location: PageLocation, in texts: LocalizedStrings) -> Response {
        let content = SignInOnwardContent(title: texts[SignInKey.onwardTitle], next: next)
        return response(onward, content, at: location, in: texts)
    }

    func notice(_ notice: SignInNotice, at location: PageLocation, in texts: LocalizedStrings) -> Response {
        let (title, lead) = notice.words
        let content = SignInNoticeContent(title: texts[title], lead: texts[lead])
        return response(self.notice, content, status: notice.status, at: location, in: texts)
    }

    private func response<Content>(
        _ template: PageTemplate<Content>,
        _ content: Content,
        status: HTTPResponse.Status = .ok,
        at location: PageLocation,
        in texts: LocalizedStrings
    ) -> Response {
        let frame = SiteFrame(name: site, assets: "\(location.assets)/\(SiteAssets.version(in: texts))")
        let markup = ByteBuffer(string: template.render(content, in: texts, site: frame))
        return .sitePage(markup, status, in: texts, permitting: "publickey-credentials-get=(self)")
    }
}

/// A page of an authorization request without buttons.
enum SignInNotice: CaseIterable {
    /// The request has ended, never existed, or belongs to another browser; the page does not tell which.
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

    var words: (title: SignInKey, lead: SignInKey) {
        switch self {
        case .over: (.overTitle, .overLead)
        case .busy: (.busyTitle, .busyLead)
        case .crossSite: (.crossSiteTitle, .crossSiteLead)
        case .serverDown: (.serverDownTitle, .serverDownLead)
        case .serverFault: (.serverFaultTitle, .serverFaultLead)
        }
    }
}

/// The location of a page of an authorization request, for relative addresses that work behind any proxy.
struct PageLocation: Sendable {
    let id: String
    /// Whether the page's address is below `/oauth/sign-in/{id}`.
    let isBelow: Bool

    /// `/oauth/sign-in/{id}`.
    var page: String { isBelow ? "../\(id)" : id }
    var assets: String { (isBelow ? "../" : "") + "../../assets" }
}
