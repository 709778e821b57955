import Foundation
import HTTPTypes
import MockServing
import Testing

@testable import AuthIDMock

/// The mocks' pages look like the product's.
struct MockLookTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    /// The colours that a style sheet names: the first value of each is the one in light.
    private static func colours(_ sheet: String) -> [String: [String]] {
        sheet.matches(of: #/--([a-z-]+): ?(#[0-9a-f]+)/#).reduce(into: [:]) {
            $0[String($1.1), default: []].append(String($1.2))
        }
    }

    @Test func `the colours are those of the product, in light and in dark`() throws {
        let files = ["page.css", "site.css"].map { Self.root.appending(path: "Sources/Web/styles/\($0)") }
        let product = Self.colours(
            try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
        )
        let mocks = Self.colours(MockLook.colours)
        #expect(mocks.count >= 11 && mocks.values.allSatisfy { $0.count == 2 })
        for (name, values) in mocks { #expect(product[name] == values, "\(name)") }
    }

    @Test func `the icon and the mark are the product's`() throws {
        let file = Self.root.appending(path: "Sources/Web/pages/partials/mark.mustache")
        let mark = try String(contentsOf: file, encoding: .utf8)
        #expect(mark.contains(MockLook.mark) && PageArt.icon.contains(MockLook.mark))
    }

    @Test func `the icon is a PNG image, which pages name and browsers find`() async throws {
        #expect(MockIcon.png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(MockIcon.png.suffix(8).starts(with: Array("IEND".utf8)))
        #expect(ResultPage.welcome.markup.contains(#"<link rel="icon" href="/favicon.ico" type="image/png""#))
        try await Rig().serve { caller in
            let icon = try await caller.call(.get, "/favicon.ico")
            #expect(icon.status == 200 && icon.headers[.contentType] == "image/png")
        }
    }

    @Test func `a style names no colour that is not there`() {
        let names = Set(Self.colours(MockLook.colours).keys)
        for sheet in [PageStyle.css, ConsoleAssets.css] {
            for name in sheet.matches(of: #/var\(--([a-z-]+)\)/#).map({ String($0.1) }) {
                #expect(names.contains(name), "\(name)")
            }
        }
    }

    @Test func `attack: a mark behind a quotation mark does not keep it from being escaped`() {
        #expect(Markup.escape("a\"\u{301}>'\u{20DD}&<") == "a&quot;\u{301}&gt;&#39;\u{20DD}&amp;&lt;")
    }

    @Test func `a page of a mock loads nothing, and names its style in its policy`() throws {
        let page = MockLook.page(title: "<b>", badge: "&", content: "<h1>x</h1>")
        #expect(page.body.contains("<title>&lt;b&gt;</title>") && page.body.contains("&amp;</span>"))
        let policy = try #require(page.contentSecurityPolicy)
        #expect(policy.contains("style-src 'sha256-") && !policy.contains("unsafe") && !policy.contains("http"))
        #expect(!page.body.contains("<script") && !page.body.contains("http"))
    }
}
