/// Drawings of the pages, inline so that they take the colours of the text around them.
enum PageArt {
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#3552d8"/>\
        <path d="M9 12V9.5A1.5 1.5 0 0 1 10.5 8H13M19 8h2.5A1.5 1.5 0 0 1 23 9.5V12M23 20v2.5A1.5 1.5 0 0 1 \
        21.5 24H19M13 24h-2.5A1.5 1.5 0 0 1 9 22.5V20" fill="none" stroke="#fff" stroke-width="2" \
        stroke-linecap="round"/><path d="M13 14v1.5M19 14v1.5M12.5 18.5c1.800 2.200 5.200 2.200 7 0" fill="none" \
        stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>
        """

    static let mark: HTML = """
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9"/>\
        <path d="M9 12V9.5A1.5 1.5 0 0 1 10.5 8H13M19 8h2.5A1.5 1.5 0 0 1 23 9.5V12M23 20v2.5A1.5 1.5 0 0 \
        1 21.5 24H19M13 24h-2.5A1.5 1.5 0 0 1 9 22.5V20"/>\
        <path d="M13 14v1.5M19 14v1.5M12.5 18.5c1.800 2.200 5.200 2.200 7 0"/></svg>
        """

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
