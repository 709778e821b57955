import Foundation
import Kernel
import Testing

@testable import Web

/// Every language says all that English does, on pages, in scripts and in mails, and says it in its own words.
struct LocalizedStringsTests {
    private static let languages = LocalizedStrings.builtIn.map(\.language)
    private static let others = languages.filter { $0 != "en" }

    /// Texts that are spelled as in English.
    private static let alike = [
        "fr": ["mail.minute", "mail.minutes", "labels.errorCode"], "es": [], "sv": ["enrollment.bank"],
        "de": ["account.passkeysTitle", "account.passkeyName"],
    ]

    /// Words that texts in our other languages have no use for.
    private static let englishWords: Set<String> = [
        "the", "and", "you", "your", "is", "this", "was", "with", "it", "that", "not", "of", "can", "again",
    ]

    /// Those that are words of a language of ours too: "was" is German for "what".
    private static let homographs: [String: Set<String>] = ["de": ["was"]]

    /// Sections whose keys come from modules that this one does not know.
    private static let ofOthers: Set<String> = ["failures", "sessionFailures", "landing", "sessionLanding", "letters"]

    /// All texts of a language, by section and key.
    private static func texts(_ language: String) throws -> [String: String] {
        let strings = try #require(LocalizedStrings.builtIn.first { $0.language == language })
        var texts: [String: String] = [:]
        for (section, members) in strings.sections {
            for (key, text) in members { texts["\(section).\(key)"] = text }
        }
        return texts
    }

    @Test func `each file of texts is a language`() {
        let files = EmbeddedFiles.texts(in: "texts", ending: ".json").keys
        #expect(files.sorted() == Self.languages.sorted())
        #expect(Self.languages.first == "en", "English is for visitors who ask for no supported language")
    }

    @Test(arguments: languages)
    func `a language has each key and no other, and each value's placeholder`(_ language: String) throws {
        let (own, english) = (try Self.texts(language), try Self.texts("en"))
        #expect(english.count > 400, "the texts are looked into")
        #expect(english["failures.expired"] != nil && english["letters.face_enrolled.subject"] != nil)
        #expect(Set(own.keys).symmetricDifference(english.keys).sorted() == [])
        for (key, text) in own {
            #expect(text.contains { $0.isLetter }, "\(key) is empty")
            #expect(!text.contains("<") && !text.contains("{{"), "\(key) is not markup")
            #expect(Self.values(in: text) == Self.values(in: english[key] ?? ""), "\(key)")
        }
    }

    /// Placeholders of values: `%`, `#`, and `{NAME}` in scripts.
    private static func values(in text: String) -> Set<String> {
        Set(text.matches(of: #/%|#|\{\w+\}/#).map { String($0.output) })
    }

    @Test(arguments: others)
    func `no text of another language is English`(_ language: String) throws {
        let (own, english) = (try Self.texts(language), try Self.texts("en"))
        let alike = try #require(Self.alike[language])
        for (key, text) in own where !alike.contains(key) {
            #expect(text != english[key], "\(key)")
            let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
            let foreign = Self.englishWords.subtracting(Self.homographs[language] ?? [])
            #expect(words.isDisjoint(with: foreign), "\(key): \(text)")
        }
        #expect(english.values.contains { $0.contains("the ") }, "English is found by its words")
    }

    /// The longest headings, buttons and subjects, and the longest other texts, in characters.
    private static let longest = (label: 60, text: 220)

    /// Texts that may be longer, each with the reason and its own limit.
    private static let longer = [
        // Names all that the button ends and removes, and the way without it.
        "mailPages.proofElsewhere.body": 300
    ]

    @Test(arguments: languages)
    func `a text has at most two sentences, no semicolon and a bounded length`(_ language: String) throws {
        for (key, text) in try Self.texts(language) {
            #expect(Self.sentences(in: text) <= 2, "\(key): \(text)")
            #expect(!text.contains(";"), "\(key): \(text)")
            let last = key.split(separator: ".").last ?? ""
            let isLabel = last.lowercased().hasSuffix("title") || ["button", "subject"].contains(last)
            let limit = isLabel ? Self.longest.label : Self.longer[key] ?? Self.longest.text
            #expect(text.count <= limit, "\(key) has \(text.count) characters: \(text)")
        }
    }

    /// Counts the ends of sentences: a sign before a capital or a placeholder, and one at the end of the text.
    private static func sentences(in text: String) -> Int {
        text.matches(of: #/[.!?…](?=[”»“]?\s+[“«¿¡„]?[\p{Lu}%#{])|[.!?…:]$/#).count
    }

    @Test func `sentences are counted`() {
        #expect(Self.sentences(in: "One at home.tld, like “. _ -”. Two? Three: % is it.") == 3)
        #expect(Self.sentences(in: "¿Una? ¡Dos! «Tres».") == 3 && Self.sentences(in: "A title") == 0)
    }

    /// Words of the form of address that a language's texts do not use.
    private static let familiar: [String: Set<String>] = [
        "es": ["tú", "tu", "tus", "te", "ti", "tuyo", "tuya", "tuyos", "tuyas"],
        "fr": ["tu", "te", "toi", "ton", "ta", "tes"], "sv": ["ni", "er", "ert", "era"],
        "de": ["du", "dich", "dir", "dein", "deine", "deinen", "deinem", "deiner", "euch", "euer", "eure"],
    ]

    @Test(arguments: others)
    func `a language has its signs and one form of address`(_ language: String) throws {
        let familiar = try #require(Self.familiar[language])
        for (key, text) in try Self.texts(language) {
            let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
            #expect(words.isDisjoint(with: familiar), "\(key): \(text)")
            // German closes a quotation with the sign that opens an English one.
            let unquoted = language == "de" ? text.replacing(#/„[^“”"]*“/#, with: "") : text
            #expect(unquoted.firstMatch(of: #/[“"]|\w'\w/#) == nil, "\(key): \(text)")
            switch language {
            case "fr":
                let bare = text.firstMatch(of: #/[^\u{202F}][?!:»]|«[^\u{202F}]/#)
                #expect(bare == nil, "\(key) lacks a narrow no-break space: \(text)")
            case "es":
                let signs = ["¿", "?", "¡", "!"].map { sign in text.count { String($0) == sign } }
                #expect(signs[0] == signs[1] && signs[2] == signs[3], "\(key): \(text)")
            default: #expect(!text.contains("«"), "\(key): \(text)")
            }
        }
    }

    @Test func `the program, the pages and the scripts use existing texts, and each text is used`() throws {
        let all = Set(try Self.texts("en").keys)
        let said = Self.keys.union(Self.named)
        #expect(said.subtracting(all).sorted() == [], "no such texts")
        let own = all.filter { key in !Self.ofOthers.contains { key.hasPrefix($0 + ".") } }
        let pages = Self.pages.flatMap { ["\($0).title", "\($0).body", "\($0).button"] }
        #expect(own.subtracting(said).subtracting(pages).subtracting(Self.quoted).sorted() == [], "said nowhere")
        for page in Self.pages { #expect(all.contains("\(page).title") && all.contains("\(page).body"), "\(page)") }
    }

    private static func paths<Key: LocalizationKey>(_: Key.Type) -> [String] {
        Key.allCases.map { "\(Key.section).\($0.rawValue)" }
    }

    /// The keys that the program asks for, pages aside.
    private static let keys = Set(
        paths(SiteKey.self) + paths(ScriptKey.self) + paths(SignInKey.self) + paths(DeviceTextKey.self)
            + paths(EnrollmentKey.self) + paths(ConfirmKey.self) + paths(ApprovalKey.self) + paths(LabelKey.self)
            + paths(ScanKey.self) + paths(AppLinkKey.self)
            + paths(MailFieldKey.self) + paths(MailKey.self) + paths(AccountKey.self) + paths(BrandKey.self)
    )

    private static let pages =
        paths(MailPageKey.self) + paths(LogoutPageKey.self) + paths(AuthorizePageKey.self)
        + paths(ErrorPageKey.self)

    /// Those that templates and scripts name.
    private static let named: Set<String> = {
        let markup = PageMarkup.markups.values.joined()
        let scripts = WebAssets.modules.values.joined()
        return Set(markup.matches(of: #/\{\{text\.([\w.]+)\}\}/#).map { String($0.1) })
            .union(scripts.matches(of: #/say\(\s*"(\w+)"/#).map { "scripts.\($0.1)" })
    }()

    /// Those that scripts have in tables.
    private static let quoted = Set(
        WebAssets.modules.values.joined().matches(of: #/"(\w+)"/#).map { "scripts.\($0.1)" }
    )

    @Test(arguments: [
        "", "[]", "{\"a\":\"b\"}", "{\"a\":{\"b\":1}}", "{\"a\":{\"b\":null}}", "{\"a\":{\"b\":\"c\",\"b\":\"d\"}}",
        "{\"a\":{\"b\":\"c\",}}",
    ])
    func `a broken file is refused whole`(_ text: String) {
        #expect(throws: MalformedJSONError.self) { try LocalizedStrings.sections(of: text) }
    }

    @Test func `the module of the words is JSON in a script`() throws {
        let hostile = "a \"b\" </script> \u{2028} {n} $words"
        let strings = LocalizedStrings(language: "en", sections: ["scripts": ["starting": hostile]])
        let line = try #require(
            WebAssets.textsModule(in: strings).split(separator: "\n").first { $0.hasPrefix("const words = ") }
        )
        let json = try #require(line.dropFirst("const words = ".count).dropLast().data(using: .utf8))
        #expect(try JSONSerialization.jsonObject(with: json) as? [String: String] == ["starting": hostile])
    }
}
