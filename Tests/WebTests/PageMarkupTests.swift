import Mustache
import Testing

@testable import Web

/// The templates of pages.
struct PageMarkupTests {
    @Test(arguments: zip(["\"", "'", "<", ">", "&"], ["&quot;", "&#39;", "&lt;", "&gt;", "&amp;"]))
    func `attack: a special character followed by a combining mark is escaped in a page`(
        sign: String,
        escaped: String
    ) throws {
        let template = try #require(PageMarkup.template("{{text}}|{{#inner}}{{text}}{{/inner}}"))
        let hostile = sign + "\u{301}x"
        let page = template.render(["text": hostile, "inner": ["text": hostile]] as [String: Any])
        let expected = escaped + "\u{301}x|" + escaped + "\u{301}x"
        #expect(Array(page.utf8) == Array(expected.utf8))
    }

    @Test func `every page is parsed, whole, and every partial is in one`() {
        let partials = EmbeddedFiles.texts(in: "pages/partials", ending: ".mustache")
        #expect(PageMarkup.pages.count == PageMarkup.markups.count && PageMarkup.pages.count > 15)
        for (name, markup) in PageMarkup.markups {
            #expect(!markup.contains("{{>") && !markup.contains("{{!"), "\(name)")
            if name != "icon" { #expect(markup.hasPrefix("<!doctype html>") && markup.hasSuffix("</html>"), "\(name)") }
        }
        let files = EmbeddedFiles.all.filter { $0.key.hasPrefix("pages/") }.values.joined()
        for name in partials.keys { #expect(files.contains("{{>\(name)}}"), "\(name)") }
    }

    @Test func `nothing but our own style and script goes into a page as it is`() {
        for (name, markup) in PageMarkup.markups {
            let raw = markup.matches(of: #/\{\{(?:\{|&)\s*([\w.]+)/#).map { String($0.1) }
            #expect(Set(raw).isSubset(of: ["style", "script"]), "\(name)")
            #expect(!markup.contains("{{=") && !markup.contains("{{%") && !markup.contains("{{<"), "\(name)")
        }
    }

    @Test func `a page that does not parse is noticed`() {
        #expect(PageMarkup.template("{{#a}}") == nil)
        #expect(PageMarkup.template("{{a") == nil)
        #expect(PageMarkup.template("{{#a}}{{/b}}") == nil)
    }
}
