import Operations
import Testing
import Web

@testable import HTTPAPI

/// The language that a browser is given, and the texts that every language has.
struct AcceptedLanguageTests {
    @Test(
        arguments: [
            (nil, "en"), ("", "en"), ("fr", "fr"), ("fr-CA", "fr"), ("FR", "fr"), ("pt", "en"), ("pt, sv", "sv"),
            ("es-419,es;q=0.9", "es"), ("en;q=0.5, fr;q=0.8", "fr"), ("fr;q=0.8, sv;q=0.8", "fr"), ("*", "en"),
            ("pt, *;q=0.5", "en"), ("en;q=0, *", "fr"), ("fr;q=0", "en"), ("fr;q=0, es;q=0.1", "es"),
            ("fr;q=1.5, sv;q=0.1", "sv"), ("fr;q=nan, sv;q=0.1", "sv"), ("fr ; q=0.2 , sv ; Q=0.7", "sv"),
            (";;;,,,q=1", "en"), ("fr-CA;q=0.1, fr;q=0.9, es;q=0.5", "fr"), ("frx", "en"), ("x-klingon", "en"),
            ("pt, *;q=0.9, sv;q=0.8", "en"), ("sv;q=0.001, en;q=0", "sv"), ("de-AT, en;q=0.9", "de"),
        ] as [(String?, String)]
    )
    func `the language that the browser likes best is chosen`(_ header: String?, _ expected: String) {
        #expect(AcceptedLanguage(languages: .builtIn).texts(for: header).language == expected)
    }

    @Test func `attack: an Accept-Language with 100,000 entries is not read to its end`() {
        let header = String(repeating: "pt,", count: 100_000) + "fr"
        #expect(
            AcceptedLanguage(languages: .builtIn).texts(for: header).language == "en",
            "what stands far behind is not read"
        )
    }

    @Test(arguments: LocalizedStrings.builtIn.map(\.language))
    func `every language has every page and every failure, each with words of its own`(_ language: String) throws {
        let texts = try #require(LocalizedStrings.builtIn.first { $0.language == language })
        #expect(Set(FailureCode.allCases.map { texts.failure($0) }).count == FailureCode.allCases.count)
        let pages = LandingPages.Page.allCases.map { texts.page($0) }
        #expect(Set(pages.map(\.title)).count == LandingPages.Page.allCases.count)
        for (page, text) in zip(LandingPages.Page.allCases, pages) {
            #expect(!text.title.isEmpty && !text.body.isEmpty)
            #expect((text.button == nil) == (LocalizedStrings.english.page(page).button == nil), "\(page)")
        }
        #expect(texts[ConfirmKey.minutesAgo].contains("%") && texts[ConfirmKey.numberWrong].contains("%"))
        let proof = texts.page(MailPageKey.proof)
        #expect(!proof.title.contains("-"), "a narrow page breaks the line behind a hyphen")
    }
}
