import Testing

@testable import Web

/// The forms of buttons in the shared style.
struct ButtonStyleTests {
    /// The style of light, and the variables that dark replaces.
    private static func variables(_ isDark: Bool) throws -> [String: BrandColour] {
        let roots = WebAssets.pageStyle.matches(of: #/:root\{([^}]*)\}/#).map { String($0.1) }
        try #require(roots.count == 2)
        let found = roots[isDark ? 1 : 0].matches(of: #/--([\w-]+):(#[0-9a-f]+)/#).compactMap { match in
            let hex = String(match.2)
            let long = hex.count == 4 ? "#" + hex.dropFirst().map { "\($0)\($0)" }.joined() : hex
            return BrandColour(long).map { (String(match.1), $0) }
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    @Test(arguments: [ButtonStyle.plain, .quiet, .danger], [false, true])
    func `each outlined button is legible on a card and on the page`(_ style: ButtonStyle, isDark: Bool) throws {
        let rule = #/\nbutton\.(\w+),a\.(\w+)\{background:transparent;color:var\(--(\w+)\)/#
        let match = try #require(WebAssets.pageStyle.matches(of: rule).first { $0.1 == style.rawValue })
        #expect(match.1 == match.2, "a link that looks like a button has the same form")
        let variables = try Self.variables(isDark)
        let text = try #require(variables[String(match.3)])
        for ground in ["card", "ground"] {
            let contrast = text.contrast(with: try #require(variables[ground]))
            #expect(contrast >= BrandPalette.textContrast, "\(style) on \(ground): \(contrast)")
        }
    }

    @Test func `outlined buttons differ from each other and from the primary one, and keep the focus ring`() {
        let style = WebAssets.siteStyle
        let colours = style.matches(of: #/button\.\w+,a\.\w+\{background:transparent;color:var\(--(\w+)\)/#)
        #expect(colours.map { String($0.1) } == ["accent", "ink", "fault"])
        #expect(style.contains("button:focus-visible,a:focus-visible"))
        #expect(style.ranges(of: "outline:none").count == 1, "only headings that a script moves to have no ring")
    }

    @Test func `pages name no other form of a button`() {
        let known = Set(ButtonStyle.allCases.map(\.rawValue))
        for (name, markup) in PageMarkup.markups {
            for match in markup.matches(of: #/<button[^>]* class="(\w*)"/#) {
                #expect(known.contains(String(match.1)), "\(name)")
            }
        }
    }

    @Test(arguments: [
        ("cancel", "cancel"), ("sign-in-consent", "cancel"), ("device-question", "deny"), ("enrollment", "cancel"),
    ])
    func `a button that declines is quiet`(_ file: String, form: String) throws {
        let partials = EmbeddedFiles.texts(in: "pages/partials", ending: ".mustache")
        let markup = try #require(PageMarkup.markups[file] ?? partials[file])
        let declining = try #require(markup.split(separator: "\n").first { $0.contains("<form id=\"\(form)\"") })
        #expect(declining.contains(#"class="quiet">"#))
    }
}
