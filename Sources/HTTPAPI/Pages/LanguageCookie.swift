import Hummingbird
import Kernel

/// The language that a client has asked for (`ui_locales`), for the pages that its request leads to in the same browser.
///
/// One for each page, by the cookie's path, so that two tabs don't change each other's language. Its value is one of our
/// languages or nothing. Whoever plants another one changes the language of a page, and nothing else.
enum LanguageCookie {
    private static let name = "vst_lang"
    /// As long as the longest operation and the pages that tell how it ended.
    private static let lifetime: Duration = .seconds(3600)

    /// Has the pages at `path` and below shown in that language.
    static func keep(_ texts: Texts, at path: String, isSecure: Bool, on response: inout Response) {
        response.set(cookie(texts.language, for: lifetime, at: path, isSecure))
    }

    /// Has a page whose address is the same for every request go by what the browser says again.
    static func forget(at path: String, isSecure: Bool, on response: inout Response) {
        response.set(cookie("", for: .zero, at: path, isSecure))
    }

    /// The texts that were asked for, if the request brings a cookie of ours.
    ///
    /// Browsers send the cookie of the longest path first (RFC 6265 §5.4).
    static func texts(_ request: Request) -> Texts? {
        IncomingCookies(request).values(of: name).lazy
            .compactMap { value in Texts.all.first { $0.language == value } }
            .first
    }

    private static func cookie(
        _ language: String,
        for lifetime: Duration,
        at path: String,
        _ isSecure: Bool
    ) -> OutgoingCookie {
        OutgoingCookie(name: name, value: Secret(language), path: path, maxAge: lifetime, isSecure: isSecure)
    }
}
