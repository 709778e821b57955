import MockServing

/// Drawings of the pages, inline so that they take the colours of the text around them.
enum PageArt {
    /// The product's icon.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#1f5eff"/>\
        <g color="#fff" transform="translate(8 8)">\(MockLook.mark)</g></svg>
        """

    static let mark = HTML(
        stringLiteral: #"<svg class="mark" viewBox="0 0 48 48" aria-hidden="true">\#(MockLook.mark)</svg>"#
    )

    static let face: HTML = """
        <svg class="face" viewBox="0 0 120 150" aria-hidden="true">\
        <path d="M60 22c-20 0-31 15-31 36 0 9 2 18 6 26 6 12 15 20 25 20s19-8 25-20c4-8 6-17 6-26 0-21-11-36-31-36z"/>\
        <path d="M14 150c2-22 16-33 32-38M106 150c-2-22-16-33-32-38M48 60v5M72 60v5M60 62v15l-5 4M48 90c7 6 17 6 24 0"/></svg>
        """

    static let clock: HTML = """
        <svg class="glyph" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="7.5"/>\
        <path d="M10 5.8V10l2.8 1.800"/></svg>
        """

    static let check: HTML = symbol("M13 24.5l7.5 7.5L35.5 17")
    static let cross: HTML = symbol("M16 16l16 16M32 16L16 32")
    static let hourglass: HTML = symbol("M24 13v11.5l7.5 5")
    static let alert: HTML = symbol("M24 13v14M24 33.5v.5")

    private static func symbol(_ path: String) -> HTML {
        """
        <svg class="symbol" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="\(path)"/></svg>
        """
    }
}
