import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import OAuth
import Operations
import Web

/// The pages of an authorization request, in the visitor's language.
struct SignInPages: Sendable {
    /// Whether the site has a page where people sign in by themselves.
    private let hasSite: Bool
    /// Whether people have an account page.
    private let hasAccount: Bool
    let templates = SignInWaysTemplates()
    private let wait = PageTemplate<SignInWaitContent>("sign-in-wait")
    private let failed = PageTemplate<SignInFailedContent>("sign-in-failed")
    private let consent = PageTemplate<SignInConsentContent>("sign-in-consent")
    private let onward = PageTemplate<SignInOnwardContent>("sign-in-onward")
    private let notice = PageTemplate<SignInNoticeContent>("sign-in-notice")

    init(hasSite: Bool = false, hasAccount: Bool = false) {
        self.hasSite = hasSite
        self.hasAccount = hasAccount
    }

    /// Returns the address of the account page, for a person who may have no way that a landing page takes.
    ///
    /// `nil` for any other client: their pages let people set up a way.
    func account(for signIn: SignInContext) -> String? {
        guard hasAccount, signIn.client.id == PageSignIn.Page.landing.rawValue else { return nil }
        return signIn.location.root + "account"
    }

    /// Returns the page that waits for a scan.
    func wait(_ wait: Wait, of client: String, at location: PageLocation, in texts: LocalizedStrings) -> Response {
        let content = SignInWaitContent(
            title: texts[SiteKey.waitingTitle],
            page: location.page,
            secondsLeft: wait.timeLeft.secondsRoundedUp,
            place: SignInWaitContent.Place(
                number: wait.number,
                scan: wait.scan,
                isThere: wait.isThere,
                isHere: wait.number == nil && !wait.isThere
            ),
            steps: ScanSteps.of(wait.hint, in: texts),
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
        /// The digits to type on another device; `nil` for a scan on this one, and once they were typed.
        let number: String?
        /// Whether the scan was opened on another device.
        var isThere = false
    }

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
        var content = SignInNoticeContent(title: texts[title], lead: texts[lead])
        if notice == .over, hasSite || hasAccount {
            content.start = location.root + (hasSite ? SitePage.signIn.link : "account")
        }
        return response(self.notice, content, status: notice.status, at: location, in: texts)
    }

    func response<Content>(
        _ template: PageTemplate<Content>,
        _ content: Content,
        status: HTTPResponse.Status = .ok,
        at location: PageLocation,
        in texts: LocalizedStrings
    ) -> Response {
        let frame = SiteFrame(assets: "\(location.assets)/\(WebAssets.version(in: texts))")
        let markup = ByteBuffer(string: template.render(content, in: texts, site: frame))
        return .sitePage(markup, status, in: texts, permitting: Self.features)
    }
}

extension SignInPages {
    /// The page itself may use and create passkeys, but frames in it may not.
    fileprivate static let features = "publickey-credentials-create=(self), publickey-credentials-get=(self)"
}

/// A page of an authorization request without buttons.
enum SignInNotice: CaseIterable {
    /// The request has ended, never existed, or belongs to another browser; the page does not tell which.
    case over
    case busy, crossSite, serverDown, serverFault

    /// The notice of an error that a person reads.
    init(of problem: APIError) {
        self =
            switch problem.status {
            case .tooManyRequests: .busy
            case .serviceUnavailable: .serverDown
            default: .serverFault
            }
    }

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
    /// Whether the page is the site's own, in the folder of the site's pages.
    var isSite = false

    /// `/oauth/sign-in/{id}`.
    var page: String { isBelow ? "../\(id)" : id }
    var assets: String { root + "assets" }
    /// The folder of the site's pages.
    var root: String { isSite ? "" : (isBelow ? "../" : "") + "../../" }
}
