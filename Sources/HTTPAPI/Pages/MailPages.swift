import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

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

    private let template: MustacheTemplate?
    private let policy: String

    init() {
        // Our own text, which a test renders: it parses.
        template = PageMarkup.template(PageTemplates.page)
        policy = [
            "default-src 'none'", "style-src \(LandingPages.hash(of: PageTemplates.style))", "form-action 'self'",
            "frame-ancestors 'none'", "base-uri 'none'",
        ].joined(separator: "; ")
    }

    func render(_ page: Page, in texts: Texts = .english) -> Response {
        var response = Response(
            status: page.status,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy,
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: template?.render(Self.values(of: page, texts)) ?? ""))
        )
        // With `no-referrer` the form of the page would say `Origin: null` (Fetch §3.1).
        switch page {
        case .proof, .wrongPassword: response.headers[our: .referrerPolicy] = "same-origin"
        default: break
        }
        response.say(in: texts)
        return response
    }

    private static func values(of page: Page, _ texts: Texts) -> [String: Any] {
        let words = texts.mail.words(of: page)
        let body = page.service.map { words.body.replacing("%", with: $0) } ?? words.body
        var values: [String: Any] = [
            "language": texts.language, "style": PageTemplates.style, "title": words.title, "body": body,
            "button": words.button ?? "", "hasButton": words.button != nil, "method": "post",
        ]
        if case .code(let digits, let minutes) = page {
            values["hasCode"] = true
            values["code"] = digits
            values["hasNote"] = true
            values["note"] = texts.mail.codeNote.replacing("#", with: "\(minutes)")
        }
        if page.asksPassword {
            values["hasPassword"] = true
            values["passwordLabel"] = texts.mail.password.label
            values["passwordHint"] = texts.mail.password.hint
            values["hasAlert"] = page.status == .forbidden
            values["alert"] = texts.mail.password.wrong
        }
        return values
    }
}

extension Texts {
    /// The words of the pages behind the links in mails.
    struct MailPageText: Sendable {
        let code: PageText
        /// Below the code; `#` stands for a number of minutes.
        let codeNote: String
        let codeOver: PageText
        /// On a device of the account; `%` stands for the client.
        let proof: PageText
        /// On any other one, where the button signs out whatever is signed in; likewise.
        let proofElsewhere: PageText
        let password: PasswordText
        let proven: PageText
        let proofOver: PageText
        let busy: PageText
        let serverDown: PageText

        /// What stands at the field for the account's password.
        struct PasswordText: Sendable {
            let label: String
            let hint: String
            let wrong: String
        }

        func words(of page: MailPages.Page) -> PageText {
            switch page {
            case .code: code
            case .codeOver: codeOver
            case .proof(_, let signsOut, _): signsOut ? proofElsewhere : proof
            case .wrongPassword: proofElsewhere
            case .proven: proven
            case .proofOver: proofOver
            case .busy: busy
            case .serverDown: serverDown
            }
        }
    }
}
