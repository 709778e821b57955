import Hummingbird
import Kernel
import Web

/// The languages that clients have requested (`ui_locales`), for the pages of those requests in the same browser.
///
/// One cookie serves the whole origin, so that a site that sends a browser here repeatedly displaces no other cookie.
/// It holds the languages of the newest pages, so that two tabs do not change each other's. A cookie set by another
/// site can change a page's language and nothing else.
enum LanguageCookie {
    private static let name = "vst_lang"
    /// The longest lifetime of an operation and of the pages that show its outcome.
    private static let lifetime: Duration = .seconds(3600)
    /// The number of pages whose language is kept, the newest first.
    private static let mostPages = 8

    /// The language of one page and of those below it.
    private struct Entry {
        let language: Substring
        let mark: Substring
    }

    /// Shows the pages at `path` and below in the language of `texts`.
    static func keep(
        _ texts: LocalizedStrings,
        at path: String,
        isSecure: Bool,
        for request: Request,
        on response: inout Response
    ) {
        let own = Entry(language: texts.language[...], mark: mark(of: path)[...])
        set([own] + entries(request).filter { $0.mark != own.mark }, isSecure, on: &response)
    }

    /// Shows the pages of that interaction in that language, even after the interaction has ended.
    static func keep(
        _ texts: LocalizedStrings,
        of interaction: Secret,
        isSecure: Bool,
        for request: Request,
        on response: inout Response
    ) {
        keep(texts, at: "/oauth/sign-in/\(interaction.expose())", isSecure: isSecure, for: request, on: &response)
    }

    /// Makes a page with a fixed address use the browser's own language again.
    static func forget(at path: String, isSecure: Bool, for request: Request, on response: inout Response) {
        let (kept, own) = (entries(request), mark(of: path)[...])
        guard kept.contains(where: { $0.mark == own }) else { return }
        set(kept.filter { $0.mark != own }, isSecure, on: &response)
    }

    /// Returns the texts in the language that the cookie has for this page; `nil` if it has none.
    static func texts(_ request: Request, among languages: Languages) -> LocalizedStrings? {
        let kept = entries(request)
        guard !kept.isEmpty else { return nil }
        // A page's path has two parts or three: `/go/…`, `/oauth/sign-in/…`.
        let parts = request.uri.path.split(separator: "/", maxSplits: 3)
        for count in [3, 2] where parts.count >= count {
            let own = mark(of: "/" + parts.prefix(count).joined(separator: "/"))[...]
            let texts = kept.lazy.filter { $0.mark == own }.compactMap { languages[String($0.language)] }.first
            if let texts { return texts }
        }
        return nil
    }

    /// Returns an identifier of a path, which may contain a secret: 48 bits of its SHA-256.
    static func mark(of path: String) -> String {
        Base64URL.encode(Digest256(sha256: path).bytes.prefix(6))
    }

    /// Returns the cookie's entries, without those that no language can have.
    private static func entries(_ request: Request) -> [Entry] {
        let values = IncomingCookies(request).values(of: name).filter { $0.utf8.count <= mostPages * 16 }
        let entries = values.flatMap { value in
            let parts = value.split(separator: ".", omittingEmptySubsequences: false)
            return stride(from: 0, to: parts.count - 1, by: 2).map { Entry(language: parts[$0], mark: parts[$0 + 1]) }
        }
        let ours = entries.filter { entry in
            (2...3).contains(entry.language.utf8.count) && entry.language.utf8.allSatisfy { (0x61...0x7A).contains($0) }
        }
        return Array(ours.filter { $0.mark.utf8.count == 8 }.prefix(mostPages))
    }

    private static func set(_ entries: [Entry], _ isSecure: Bool, on response: inout Response) {
        let value = entries.prefix(mostPages).map { "\($0.language).\($0.mark)" }.joined(separator: ".")
        response.set(
            OutgoingCookie(
                name: name,
                value: Secret(value),
                path: "/",
                maxAge: entries.isEmpty ? .zero : lifetime,
                isSecure: isSecure
            )
        )
    }
}
