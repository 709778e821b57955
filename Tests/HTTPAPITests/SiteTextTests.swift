import Foundation
import Testing

@testable import HTTPAPI

/// The words of the site's pages.
struct SiteTextTests {
    @Test(arguments: Texts.all.map(\.language))
    func `every language has every word`(_ language: String) throws {
        let texts = try #require(Texts.all.first { $0.language == language }).site
        #expect(Set(texts.words.keys) == Set(SiteWord.allCases))
        #expect(Set(texts.scriptWords.keys) == Set(ScriptWord.allCases))
        let all = Array(texts.words.values) + Array(texts.scriptWords.values)
        for text in all { #expect(!text.isEmpty && !text.contains("<") && !text.contains("{{")) }
    }

    @Test(arguments: Texts.all.map(\.language).filter { $0 != "en" })
    func `what stands for a value is the same in every language, and sentences are translated`(
        _ language: String
    ) throws {
        let texts = try #require(Texts.all.first { $0.language == language }).site
        for word in ScriptWord.allCases {
            let (own, english) = (texts.scriptWords[word] ?? "", Texts.english.site.scriptWords[word] ?? "")
            #expect(Self.values(in: own) == Self.values(in: english), "\(word)")
            if english.contains(" ") { #expect(own != english, "\(word)") }
        }
        for word in SiteWord.allCases {
            let (own, english) = (texts.words[word] ?? "", Texts.english.site.words[word] ?? "")
            if english.contains(" ") { #expect(own != english, "\(word)") }
        }
    }

    private static func values(in text: String) -> Set<String> {
        Set(text.matches(of: #/\{(\w+)\}/#).map { String($0.1) })
    }

    @Test func `pages say the words that there are, and each word is said`() {
        let markup = SitePage.allCases.map { SiteTemplates.page($0.content) }.joined()
        let said = Set(markup.matches(of: #/\{\{say\.(\w+)\}\}/#).map { String($0.1) })
        let labels = SitePage.allCases.flatMap { page -> [SiteWord] in
            [page.title] + (page.label.map { [$0.link, $0.hint] } ?? [])
        }
        let used = said.union(labels.map(\.rawValue))
        #expect(said.subtracting(SiteWord.allCases.map(\.rawValue)).sorted() == [], "no such words")
        #expect(Set(SiteWord.allCases.map(\.rawValue)).subtracting(used).sorted() == [], "said nowhere")
    }

    @Test func `scripts say the words that there are, and each word is said`() {
        let scripts = SiteScripts.files.values.joined()
        let said = Set(scripts.matches(of: #/say\(\s*"(\w+)"/#).map { String($0.1) })
        let quoted = Set(scripts.matches(of: #/"(\w+)"/#).map { String($0.1) })
        let words = Set(ScriptWord.allCases.map(\.rawValue))
        #expect(said.subtracting(words).sorted() == [], "no such words")
        #expect(words.subtracting(quoted).sorted() == [], "said nowhere")
    }

    @Test func `the module of the words is JSON in a script`() throws {
        let script = SiteScripts.texts([.starting: "a \"b\" </script> \u{2028} {n}"])
        let line = try #require(script.split(separator: "\n").first)
        let json = try #require(line.dropFirst("const words = ".count).dropLast().data(using: .utf8))
        let words = try #require(JSONSerialization.jsonObject(with: json) as? [String: String])
        #expect(words["starting"] == "a \"b\" </script> \u{2028} {n}")
        #expect(words.count == ScriptWord.allCases.count)
    }
}
