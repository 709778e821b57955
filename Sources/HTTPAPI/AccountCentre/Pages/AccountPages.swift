import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// The pages of the account centre, in the visitor's language.
struct AccountPages: Sendable {
    private let template = PageTemplate<AccountContent>("account")

    func render(
        _ content: AccountContent,
        status: HTTPResponse.Status = .ok,
        at location: AccountLocation,
        in texts: LocalizedStrings
    ) -> Response {
        let frame = SiteFrame(assets: "\(location.assets)/\(WebAssets.version(in: texts))")
        let markup = ByteBuffer(string: template.render(content, in: texts, site: frame))
        return .sitePage(markup, status, in: texts)
    }

    /// Returns a page with a heading and a sentence, which leads back to the overview.
    func notice(_ notice: AccountPageNotice, at location: AccountLocation, in texts: LocalizedStrings) -> Response {
        let words = notice.words(texts)
        let content = AccountContent(
            title: words.title,
            back: notice == .closed ? nil : location.home,
            lead: words.lead
        )
        return render(content, status: notice.status, at: location, in: texts)
    }

    /// Returns the page that asks for a stronger sign-in, and continues at the page afterwards.
    ///
    /// `lead`: the proofs that suffice.
    func stronger(
        _ visit: AccountVisit,
        for page: AccountPage,
        lead: AccountKey = .strongerLead
    ) -> Response {
        let target = [
            AccountContent.HiddenField(key: "to", value: page.rawValue),
            AccountContent.HiddenField(key: "id", value: visit.id),
        ]
        return stronger(for: target, token: visit.token, lead: lead, at: visit.location, in: visit.texts)
    }

    func stronger(
        for target: [AccountContent.HiddenField],
        token: String,
        lead: AccountKey,
        at location: AccountLocation,
        in texts: LocalizedStrings
    ) -> Response {
        let section = AccountContent.Section(
            anchor: "stronger",
            form: .init(
                action: location.path(.again),
                formToken: token,
                hidden: target,
                button: texts[AccountKey.signInAgain]
            )
        )
        let content = AccountContent(
            title: texts[AccountKey.strongerTitle],
            back: location.home,
            lead: texts[lead],
            sections: [section]
        )
        return render(content, status: .forbidden, at: location, in: texts)
    }
}

/// A page of the account centre without a form.
enum AccountPageNotice: CaseIterable {
    /// The account has no such thing, or it is another account's; the page does not tell which.
    case missing
    /// The form is not one of this browser's session.
    case foreignForm
    case crossSite
    /// The account is closed.
    case closed
    case signedOut
    case busy, serverDown, serverFault

    static func fault(of problem: APIError) -> AccountPageNotice {
        switch problem.status {
        case .tooManyRequests: .busy
        case .serviceUnavailable: .serverDown
        case .notFound: .missing
        default: .serverFault
        }
    }

    var status: HTTPResponse.Status {
        switch self {
        case .missing: .notFound
        case .foreignForm, .crossSite: .forbidden
        case .closed, .signedOut: .ok
        case .busy: .tooManyRequests
        case .serverDown: .serviceUnavailable
        case .serverFault: .internalServerError
        }
    }

    func words(_ texts: LocalizedStrings) -> (title: String, lead: String) {
        switch self {
        case .missing: (texts[AccountKey.missingTitle], texts[AccountKey.missingLead])
        case .foreignForm: (texts[AccountKey.foreignFormTitle], texts[AccountKey.foreignFormLead])
        case .crossSite: (texts[SignInKey.crossSiteTitle], texts[SignInKey.crossSiteLead])
        case .closed: (texts[AccountKey.closedTitle], texts[AccountKey.closedLead])
        case .signedOut: (texts[AccountKey.signedOutTitle], texts[AccountKey.signedOutLead])
        case .busy: (texts[SignInKey.busyTitle], texts[SignInKey.busyLead])
        case .serverDown: (texts[SignInKey.serverDownTitle], texts[SignInKey.serverDownLead])
        case .serverFault: (texts[SignInKey.serverFaultTitle], texts[SignInKey.serverFaultLead])
        }
    }
}
