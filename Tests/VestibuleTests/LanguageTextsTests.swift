import Foundation
import Testing

@testable import HTTPAPI
@testable import Outbound

/// Every language says all that English does, on pages and in mails, and says it in its own words.
struct LanguageTextsTests {
    private static let languages = Texts.all.map(\.language).filter { $0 != "en" }

    /// What is spelled as in English.
    private static let alike = ["fr": ["mails.units.minute", "mails.units.minutes", "pages.authorize.code"]]

    /// Words that texts in our other languages have no use for.
    private static let englishWords: Set<String> = [
        "the", "and", "you", "your", "is", "this", "was", "with", "it", "that", "not", "of", "can", "again",
    ]

    /// All texts of a language, by where they stand.
    private static func texts(_ language: String) throws -> [String: String] {
        let pages = try #require(Texts.all.first { $0.language == language })
        let mails = try #require(MailTexts.all.first { $0.language == language }, "no mails in \(language)")
        return try leaves(of: pages, at: "pages").merging(leaves(of: mails, at: "mails")) { first, _ in first }
    }

    /// What is no text, dictionary, optional or structure of these is a fault: it might hold texts that nobody looks at.
    private static func leaves(of value: Any, at path: String) throws -> [String: String] {
        if let text = value as? String { return [path: text] }
        let mirror = Mirror(reflecting: value)
        var found: [String: String] = [:]
        for child in mirror.children {
            var (name, inner) = (child.label ?? "", child.value)
            switch mirror.displayStyle {
            case .dictionary:
                let pair = Array(Mirror(reflecting: child.value).children)
                (name, inner) = ("\(pair[0].value)", pair[1].value)
            case .optional, .struct: break
            default: throw Unknown(path: path)
            }
            found.merge(try leaves(of: inner, at: "\(path).\(name)")) { first, _ in first }
        }
        guard mirror.displayStyle != nil else { throw Unknown(path: path) }
        return found
    }

    private struct Unknown: Error { let path: String }

    @Test func `pages and mails are in the same languages`() {
        #expect(Texts.all.map(\.language) == MailTexts.all.map(\.language))
        #expect(Set(Texts.all.map(\.language)).count == Texts.all.count)
    }

    @Test(arguments: languages)
    func `a language lacks no text, on no page and in no mail`(_ language: String) throws {
        let (own, english) = (try Self.texts(language), try Self.texts("en"))
        #expect(english.count > 150, "the texts are looked into")
        #expect(english["pages.failures.expired"] != nil && english["mails.notices.faceEnrolled.subject"] != nil)
        #expect(Set(own.keys) == Set(english.keys))
        for (place, text) in own {
            #expect(text.contains { $0.isLetter }, "\(place) is empty")
            for mark in ["%", "#"] {
                #expect(text.contains(mark) == english[place]?.contains(mark), "\(place) lacks \(mark), or has it")
            }
        }
    }

    @Test(arguments: languages)
    func `no text of another language is English`(_ language: String) throws {
        let english = try Self.texts("en")
        for (place, text) in try Self.texts(language) where Self.alike[language]?.contains(place) != true {
            #expect(text != english[place], "\(place)")
            let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
            #expect(words.isDisjoint(with: Self.englishWords), "\(place): \(text)")
        }
        #expect(english.values.contains { $0.contains("the ") }, "English is found by its words")
    }

    @Test(arguments: ["english", "french", "spanish", "swedish"])
    func `the texts of a language are in files of its own`(_ language: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        let sources = files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        let holding = try sources.filter {
            try String(contentsOf: $0, encoding: .utf8).contains("static let \(language) = ")
        }
        let name = language.capitalized
        let names = ["", "Authorize", "Mail", "Site"].map { "\(name)\($0).swift" }
        #expect(holding.map(\.lastPathComponent).sorted() == names.sorted())
    }
}
