import Crypto
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import Operations
import Web

/// The pages behind the link of a login.
///
/// They are designed for phones, in a light and a dark style and the visitor's language, and work without scripts.
struct LandingPages: Sendable {
    /// Identifies a page that is rendered once.
    private struct Key: Hashable {
        let page: Page
        let kind: OperationKind
        let look: LocalizedStrings.Look
        let asksFirst: Bool
        let root: String
    }

    /// The pages that were asked for, of those that look the same for every visitor and on every server.
    private static let rendered = RenderedPages<Key>()
    /// The content security policies, from the scripts up to the origins to which a form may lead.
    ///
    /// `inline` is for pages that submit themselves, and `files` for the page that loads the server's scripts.
    private let policy: (inline: String, files: String)
    /// The part of a policy after those origins.
    private static let policyTail = "; frame-ancestors 'none'; base-uri 'none'"

    private let root: String

    /// - Parameters:
    ///   - scanOrigins: The origins of the providers' pages. Browsers check a form's redirect against `form-action`, so
    ///     the policy lists them (CSP Level 3 §6.4.1).
    ///   - root: The path of the icons' folder.
    init(scanOrigins: [String], root: String = "/") {
        self.root = root
        let scripts = Set(Page.allCases.compactMap(\.submitsAfter)).sorted().map {
            Self.hash(of: WebAssets.submitScript(afterMilliseconds: $0))
        }
        let forms = "form-action 'self' \(scanOrigins.joined(separator: " "))"
        policy = (
            inline: ["script-src \(scripts.joined(separator: " "))", forms].joined(separator: "; "),
            files: (Self.files + [forms]).joined(separator: "; ")
        )
    }

    /// Allows only the server's own modules, connections to it, and no text that becomes script (CSP Level 3, Trusted
    /// Types).
    private static let files = [
        "script-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'",
    ]

    /// Returns a page that looks the same for every visitor, in that language.
    ///
    /// `app`: The app's address to which the page's form may be redirected.
    func render(
        _ page: Page,
        of kind: OperationKind = .login,
        in texts: LocalizedStrings = .english,
        leadingTo app: String? = nil
    ) -> Response {
        let body = body(of: page, kind, asksFirst: false, in: texts)
        return response(body, page.status, in: texts, leadingTo: app)
    }

    /// Returns a page of a login that asks first: its button leads back to the question, and it never submits itself.
    func backToQuestion(
        _ page: Page,
        of kind: OperationKind,
        in texts: LocalizedStrings,
        at location: Location
    ) -> Response {
        guard location.isBelow else {
            return response(body(of: page, kind, asksFirst: true, in: texts), page.status, in: texts)
        }
        var content = Self.content(of: page, kind, asksFirst: true, in: texts)
        content.form?.action = location.page
        return response(body(content, in: texts), page.status, in: texts)
    }

    /// Returns the page of a failed operation, for the browser that had its scan.
    func failed(_ code: FailureCode, of kind: OperationKind = .login, in texts: LocalizedStrings = .english) -> Response
    {
        let page = texts.page(.failed, of: kind)
        let content = LandingContent(title: page.title, body: texts.failure(code, of: kind) + " " + page.body)
        return response(body(content, in: texts), Page.failed.status, in: texts)
    }

    /// Returns the page that asks before the scan.
    ///
    /// `seenFrom`: The visitor's address; `nil` where it is unknown.
    func confirm(
        _ view: ConfirmView,
        fault: NumberError? = nil,
        seenFrom visitor: NetworkAddress? = nil,
        at location: Location,
        in texts: LocalizedStrings = .english
    ) -> Response {
        let content = ConfirmPage.content(view, fault, seenFrom: visitor, at: location, in: texts)
        return response(
            body(content, in: texts),
            fault == nil ? .ok : .badRequest,
            in: texts,
            loadsScripts: view.asksPasskey
        )
    }

    /// Returns the page of a scan's progress, for the browser that began it.
    func progress(_ view: ScanView, at location: Location, in texts: LocalizedStrings = .english) -> Response {
        let markup = ScanPage.template.render(ScanPage.content(view, at: location, in: texts), in: texts)
        return response(ByteBuffer(string: markup), .ok, in: texts, loadsScripts: true)
    }

    private func response(
        _ body: ByteBuffer,
        _ status: HTTPResponse.Status,
        in texts: LocalizedStrings,
        leadingTo app: String? = nil,
        loadsScripts: Bool = false
    ) -> Response {
        let appSource = app.flatMap(Self.source).map { " " + $0 } ?? ""
        let rest = (loadsScripts ? policy.files : policy.inline) + appSource + Self.policyTail
        let policy = "\(Response.frame(of: texts.brand)); \(rest)"
        return .page(body, status, policy: policy, in: texts)
    }

    /// Renders a page when it is first asked for.
    private func body(
        of page: Page,
        _ kind: OperationKind,
        asksFirst: Bool,
        in texts: LocalizedStrings
    ) -> ByteBuffer {
        let key = Key(page: page, kind: kind, look: texts.look, asksFirst: asksFirst, root: root)
        return Self.rendered.body(for: key) {
            body(Self.content(of: page, kind, asksFirst: asksFirst, in: texts), in: texts)
        }
    }

    private func body(_ content: LandingContent, in texts: LocalizedStrings) -> ByteBuffer {
        ByteBuffer(string: LandingContent.template.render(content, in: texts, root: root))
    }

    private static func content(
        of page: Page,
        _ kind: OperationKind,
        asksFirst: Bool,
        in texts: LocalizedStrings
    ) -> LandingContent {
        var content = LandingContent(texts.page(page, of: kind))
        content.refusal = page.code
        content.isLive = [.starting, .comingBack, .inProgress].contains(page)
        if asksFirst {
            content.form?.method = "get"
        } else {
            content.form?.script = page.submitsAfter.map(WebAssets.submitScript)
        }
        return content
    }

    /// Returns the source expression (CSP Level 3 §2.3.1) of an app's address: a web page's origin, or its own scheme.
    ///
    /// Returns `nil` for an address that looks like neither. The address comes from the config, but must not be able to
    /// end the directive.
    static func source(of app: String) -> String? {
        let parts = app.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard let scheme = app.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first,
            !scheme.isEmpty, scheme.utf8.count < app.utf8.count
        else { return nil }
        let isWeb = ["http", "https"].contains(scheme.lowercased()) && parts.count > 2
        let source = isWeb ? parts[..<3].joined(separator: "/") : scheme + ":"
        let isPlain = source.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "+-.:/[]_".utf8.contains(byte)
            }
        }
        return isPlain ? source : nil
    }

    /// Returns the hash source of a text (CSP Level 3 §2.3.1).
    static func hash(of text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString())'"
    }
}
