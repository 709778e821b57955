import Crypto
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// The pages behind the link of a login: mobile first, light and dark, and working without JavaScript.
struct LandingPages: Sendable {
    /// Which page.
    enum Page: String, Sendable, CaseIterable {
        case landing, starting, providerDown, notOnThisDevice, tooManyRestarts, over, crossSite, serverDown, serverFault

        var status: HTTPResponse.Status {
            switch self {
            case .landing, .starting, .notOnThisDevice: .ok
            case .providerDown, .serverDown: .serviceUnavailable
            case .tooManyRestarts: .tooManyRequests
            case .over: .gone
            case .crossSite: .forbidden
            case .serverFault: .internalServerError
            }
        }

        /// Whether the page sends its form by itself, and after how many milliseconds.
        var submitsAfter: Int? {
            switch self {
            case .landing: 0
            case .starting: 1500
            case .providerDown, .notOnThisDevice, .tooManyRestarts, .over, .crossSite, .serverDown, .serverFault: nil
            }
        }
    }

    private let rendered: [Page: ByteBuffer]
    private let policy: String

    /// `scanOrigins`: browsers check a form's redirect against `form-action`, so the providers' pages must
    ///   stand there (CSP Level 3 §6.4.1).
    init(scanOrigins: [String], texts: Texts = .english) {
        let style = Self.hash(of: PageTemplates.style)
        let scripts = Set(Page.allCases.compactMap(\.submitsAfter)).sorted().map {
            Self.hash(of: PageTemplates.script(after: $0))
        }
        policy = [
            "default-src 'none'", "style-src \(style)", "script-src \(scripts.joined(separator: " "))",
            "form-action 'self' \(scanOrigins.joined(separator: " "))", "frame-ancestors 'none'", "base-uri 'none'",
        ].joined(separator: "; ")
        rendered = Dictionary(uniqueKeysWithValues: Page.allCases.map { ($0, Self.render($0, texts)) })
    }

    func render(_ page: Page) -> Response {
        var response = Response(
            status: page.status,
            headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy],
            body: ResponseBody(byteBuffer: rendered[page] ?? ByteBuffer())
        )
        // Not `no-referrer`: that would make a same-origin POST say `Origin: null` (Fetch §3.1).
        response.headers[our: .referrerPolicy] = "same-origin"
        return response
    }

    private static func render(_ page: Page, _ texts: Texts) -> ByteBuffer {
        guard let text = texts.pages[page], let template = try? MustacheTemplate(string: PageTemplates.page) else {
            return ByteBuffer()
        }
        let values: [String: Any] = [
            "language": texts.language, "title": text.title, "body": text.body, "button": text.button ?? "",
            "hasButton": text.button != nil, "style": PageTemplates.style,
            "script": page.submitsAfter.map(PageTemplates.script) ?? "", "hasScript": page.submitsAfter != nil,
        ]
        return ByteBuffer(string: template.render(values))
    }

    /// A source expression of CSP Level 3 §2.3.1.
    private static func hash(of text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString())'"
    }
}
