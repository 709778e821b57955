import Accounts
import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// The pages behind the links in mails: one shows a sign-in code, the other proves an address.
///
/// They look like the landing pages, and have no scripts.
struct MailPages: Sendable {
    /// The path of the icons' folder.
    var root = "/"

    enum Page: Sendable, Equatable {
        /// Shows the code to type on the device that requested it, and how many minutes it is valid.
        case code(String, minutes: Int, client: String)
        case codeOver
        /// Asks whether to confirm the address, and for the password of an account that has one.
        ///
        /// `signsOut` tells whether the confirmation ends all other sessions, and `service` is the client.
        case proof(asksPassword: Bool, signsOut: Bool, service: NamedClient)
        /// Asks again, because the password was wrong.
        case wrongPassword(service: NamedClient)
        case proven
        case proofOver
        case busy
        case serverDown

        var status: HTTPResponse.Status {
            switch self {
            case .code, .proof, .proven: .ok
            case .wrongPassword: .forbidden
            case .codeOver, .proofOver: .gone
            case .busy: .tooManyRequests
            case .serverDown: .serviceUnavailable
            }
        }

        /// The client that the page names.
        var service: NamedClient? {
            switch self {
            case .proof(_, _, let service), .wrongPassword(let service): service
            case .code, .codeOver, .proven, .proofOver, .busy, .serverDown: nil
            }
        }

        /// The id of the client whose page it is; `nil` for a page of the owner's.
        var client: String? {
            switch self {
            case .code(_, _, let client): client
            case .proof, .wrongPassword, .codeOver, .proven, .proofOver, .busy, .serverDown: service?.id
            }
        }

        var asksPassword: Bool {
            switch self {
            case .proof(let asks, _, _): asks
            case .wrongPassword: true
            case .code, .codeOver, .proven, .proofOver, .busy, .serverDown: false
            }
        }
    }

    func render(_ page: Page, in texts: LocalizedStrings = .english) -> Response {
        let content = Self.content(of: page, in: texts)
        return .page(content, page.status, formTo: "'self'", in: texts, hasForm: page.service != nil, root: root)
    }

    private static func content(of page: Page, in texts: LocalizedStrings) -> LandingContent {
        var content = LandingContent(texts.page(page.key))
        if let service = page.service { content.body = content.body.replacing("%", with: service.name) }
        if case .code(let digits, let minutes, _) = page {
            let note = texts[MailFieldKey.codeNote].replacing("#", with: "\(minutes)")
            content.details.code = .init(digits: digits, note: note)
        }
        if page.asksPassword { content.form?.password = .init(isWrong: page.status == .forbidden) }
        return content
    }
}

extension MailPages.Page {
    /// The key of the page's texts, in which `%` stands for the client.
    var key: MailPageKey {
        switch self {
        case .code: .code
        case .codeOver: .codeOver
        case .proof(_, let signsOut, _): signsOut ? .proofElsewhere : .proof
        case .wrongPassword: .proofElsewhere
        case .proven: .proven
        case .proofOver: .proofOver
        case .busy: .busy
        case .serverDown: .serverDown
        }
    }
}
