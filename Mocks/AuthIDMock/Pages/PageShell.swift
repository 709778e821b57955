import HTTPTypes
import Hummingbird
import NIOCore

/// The common parts of all pages: the document around the content and the headers.
enum PageShell {
    /// How a page lies on the screen.
    enum Layout: String {
        /// One card in the middle.
        case card
        /// As wide as a list needs.
        case console
    }

    /// The whole document: `head` adds to its head (a refresh, a script), `content` is the inside of `<main>`.
    static func page(title: String, head: HTML = "", layout: Layout = .card, content: HTML) -> HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
        <meta name="color-scheme" content="light dark">
        <meta name="theme-color" content="#f4f5f7" media="(prefers-color-scheme: light)">
        <meta name="theme-color" content="#0e1217" media="(prefers-color-scheme: dark)">
        <meta name="robots" content="noindex">
        <title>\(title) · authID mock</title>
        <link rel="icon" href="/favicon.ico" type="image/png" sizes="32x32">
        <link rel="icon" href="/_scan/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/_scan/page.css">
        \(head)
        </head>
        <body class="\(layout.rawValue)">
        <a class="skip" href="#main">Skip to the content</a>
        <header class="brand">
        \(PageArt.mark)
        <span class="brand-name">authID mock</span>
        <span class="badge">Test provider</span>
        </header>
        <main id="main">
        \(content)
        </main>
        <footer>Nothing is verified here: you choose how the scan ends. Pictures stay in this browser.</footer>
        </body>
        </html>

        """
    }

    static func response(_ page: HTML, status: HTTPResponse.Status = .ok) -> Response {
        asset(page.markup, type: "text/html; charset=utf-8", status: status)
    }

    /// A page or one of the files that belong to it.
    ///
    /// `form-action` names this origin: the form posts to it, and the redirect that follows stays on it.
    static func asset(_ text: String, type: String, status: HTTPResponse.Status = .ok) -> Response {
        let body = ByteBuffer(string: text)
        var headers: HTTPFields = [
            .contentType: type,
            .contentLength: String(body.readableBytes),
            .cacheControl: "no-store",
            .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"),
            ("Permissions-Policy", "camera=(self), microphone=(), geolocation=()"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    private static let policy = [
        "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self'", "connect-src 'self'",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
}
