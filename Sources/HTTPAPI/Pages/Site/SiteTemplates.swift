/// The markup of the site's pages, in the form of the page that asks before a scan.
enum SiteTemplates {
    /// A whole page around its content; addresses are relative, wherever a proxy has mounted it.
    static func page(_ content: String) -> String {
        """
        \(top())
        <header>
        <a class="brand" href="./"\(isHome)>\(mark)<span>{{site}}</span></a>
        <nav aria-label="{{say.pages}}"><ul>
        {{#links}}<li><a href="{{path}}"{{#isCurrent}} aria-current="page"{{/isCurrent}}>{{label}}</a></li>
        {{/links}}</ul></nav>
        </header>
        <main id="main"{{#isWide}} class="wide"{{/isWide}}>
        \(content)
        <noscript><p class="fault">{{say.needsScript}}</p></noscript>
        </main>
        </body>
        </html>
        """
    }

    /// What a page with the site's style begins with; `head`: what else its head has.
    static func top(script: Bool = true, head: String = "") -> String {
        """
        <!doctype html>
        <html lang="{{language}}">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex, nofollow">\(head)
        <title>{{title}} · {{site}}</title>
        <link rel="icon" type="image/svg+xml" href="{{assets}}/icon.svg">
        <link rel="stylesheet" href="{{assets}}/style.css">
        \(script ? #"<script type="module" src="{{assets}}/{{script}}"></script>"# : "")
        </head>
        <body class="site">
        <a class="skip" href="#main">{{say.skip}}</a>
        """
    }

    private static let isHome = "{{#isHome}} aria-current=\"page\"{{/isHome}}"

    /// The face in a frame that the confirm page has as well.
    static let mark = """
        <svg aria-hidden="true" viewBox="0 0 48 48" width="48" height="48">\(PageTemplates.mark)</svg>
        """

    /// The mark on its own, for the browser's tabs.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#1f5eff"/>\
        <g color="#fff" transform="translate(8 8)">\(PageTemplates.mark)</g></svg>
        """

    /// What is said of how it goes, and of what went wrong: there before anything is, or it would not be read out.
    static let messages = """
        <p id="status" class="status" role="status"></p>
        <p id="fault" class="fault" role="alert"></p>
        """
}
