import Mustache
import Testing

@testable import HTTPAPI

struct PageMarkupTests {
    @Test(arguments: zip(["\"", "'", "<", ">", "&"], ["&quot;", "&#39;", "&lt;", "&gt;", "&amp;"]))
    func `attack: a mark behind a sign that means something doesn't hide it`(sign: String, escaped: String) throws {
        let template = try #require(PageMarkup.template("{{text}}|{{#inner}}{{text}}{{/inner}}"))
        let hostile = sign + "\u{301}x"
        let page = template.render(["text": hostile, "inner": ["text": hostile]] as [String: Any])
        let expected = escaped + "\u{301}x|" + escaped + "\u{301}x"
        #expect(Array(page.utf8) == Array(expected.utf8))
    }
}
