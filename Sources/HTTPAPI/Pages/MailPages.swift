import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// The pages behind the links in mails: a sign-in code, and the proof of an address.
///
/// In the form of the landing pages, without any script.
struct MailPages: Sendable {
    enum Page: Sendable, Equatable {
        /// Shows the code to type on the device that asked for it, and for how many minutes it works.
        case code(String, minutes: Int)
        case codeOver
        /// Asks whether the address is to be confirmed, and for the password of an account that has one.
        ///
        /// `signsOut`: whether that signs everything out that is signed in; `service`: what the person knows the client as.
        case proof(asksPassword: Bool, signsOut: Bool, service: String)
        /// The same again: what was typed is not the password.
        case wrongPassword(service: String)
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

        /// What the page's texts call the client.
        var service: String? {
            switch self {
            case .proof(_, _, let service), .wrongPassword(let service): service
            case .code, .codeOver, .proven, .proofOver, .busy, .serverDown: nil
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
        return .page(content, page.status, formTo: "'self'", in: texts, hasForm: page.service != nil)
    }

    private static func content(of page: Page, in texts: LocalizedStrings) -> LandingContent {
        var content = LandingContent(texts.page(page.key))
        if let service = page.service { content.body = content.body.replacing("%", with: service) }
        if case .code(let digits, let minutes) = page {
            let note = texts[MailFieldKey.codeNote].replacing("#", with: "\(minutes)")
            content.details.code = .init(digits: digits, note: note)
        }
        if page.asksPassword { content.form?.password = .init(isWrong: page.status == .forbidden) }
        return content
    }
}

extension MailPages.Page {
    /// What the page says; `%` stands for the client there.
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
