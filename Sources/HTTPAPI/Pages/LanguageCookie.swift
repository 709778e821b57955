import Hummingbird
import Kernel
import Web

/// The languages that clients have asked for (`ui_locales`), for the pages that their requests lead to in the same browser.
///
/// One cookie for the whole origin, so that a site which sends a browser here again and again pushes none of its other
/// cookies out. In it is a language for each of the newest pages, so that two tabs don't change each other's. Whoever
/// plants another one changes the language of a page, and nothing else.
enum LanguageCookie {
    private static let name = "vst_lang"
    /// As long as the longest operation and the pages that tell how it ended.
    private static let lifetime: Duration = .seconds(3600)
    /// Of how many pages a language is kept, the newest first.
    private static let mostPages = 8

    /// The language of one page and of those below it.
    private struct Entry {
        let language: Substring
        let mark: Substring
    }

    /// Has the pages at `path` and below shown in that language.
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

    /// Has the pages of that interaction shown in that language, also once the interaction is over.
    static func keep(
        _ texts: LocalizedStrings,
        of interaction: Secret,
        isSecure: Bool,
        for request: Request,
        on response: inout Response
    ) {
        keep(texts, at: "/oauth/sign-in/\(interaction.expose())", isSecure: isSecure, for: request, on: &response)
    }

    /// Has a page whose address is the same for every request go by what the browser says again.
    static func forget(at path: String, isSecure: Bool, for request: Request, on response: inout Response) {
        let (kept, own) = (entries(request), mark(of: path)[...])
        guard kept.contains(where: { $0.mark == own }) else { return }
        set(kept.filter { $0.mark != own }, isSecure, on: &response)
    }

    /// The texts that were asked for, if the request brings a language of this page.
    static func texts(_ request: Request) -> LocalizedStrings? {
        let kept = entries(request)
        guard !kept.isEmpty else { return nil }
        // A page of a kind has two parts or three: `/go/…`, `/oauth/sign-in/…`.
        let parts = request.uri.path.split(separator: "/", maxSplits: 3)
        for count in [3, 2] where parts.count >= count {
            let own = mark(of: "/" + parts.prefix(count).joined(separator: "/"))[...]
            let language = kept.first { $0.mark == own }?.language
            if let language { return LocalizedStrings.all.first { $0.language == language } }
        }
        return nil
    }

    /// Stands for a path, which may have a secret in it: 48 bits of its SHA-256.
    static func mark(of path: String) -> String {
        Base64URL.encode(Digest256(sha256: path).bytes.prefix(6))
    }

    /// Pairs of language and mark, those of a language of ours alone.
    private static func entries(_ request: Request) -> [Entry] {
        let values = IncomingCookies(request).values(of: name).filter { $0.utf8.count <= mostPages * 16 }
        let entries = values.flatMap { value in
            let parts = value.split(separator: ".", omittingEmptySubsequences: false)
            return stride(from: 0, to: parts.count - 1, by: 2).map { Entry(language: parts[$0], mark: parts[$0 + 1]) }
        }
        let ours = entries.filter { entry in LocalizedStrings.all.contains { $0.language == entry.language } }
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
