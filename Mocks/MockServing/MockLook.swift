import Crypto
import FoundationEssentials
package import HTTPTypes

/// The look of the mocks' pages, which is that of the product: its colours, its card, its buttons.
package enum MockLook {
    /// The colours, in light and in dark.
    ///
    /// A test holds them to the product's style sheet, which mocks can't import.
    package static let colours = """
        :root { color-scheme: light dark; --ground: #f4f5f7; --card: #fff; --ink: #16202c; --soft: #55606e; --line: #d5dae1;
          --accent: #1f5eff; --on-accent: #fff; --fault: #b3161f; --good: #0b6b3c; --tint: #1f5eff14; --fault-tint: #b3161f12 }
        @media (prefers-color-scheme: dark) {
          :root { --ground: #0e1217; --card: #181e26; --ink: #eef2f7; --soft: #a8b3c1; --line: #36404d; --accent: #7aa2ff;
            --on-accent: #0b1220; --fault: #ff9a94; --good: #7fd8a6; --tint: #7aa2ff1f; --fault-tint: #ff9a941f }
        }
        """

    /// The mark: a face in a frame, drawn in the colour of the text around it.
    package static let mark = """
        <path d="M8 16V8h8M32 8h8v8M40 32v8h-8M16 40H8v-8M17 19v3M31 19v3M24 19v7h-2M17 31c4 4 10 4 14 0" fill="none" \
        stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>
        """

    private static let sheet =
        colours + """

            * { box-sizing: border-box }
            body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 1rem; background: var(--ground);
              color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif }
            main { width: 100%; max-width: 26rem; padding: 2rem 1.5rem; border-radius: 1.25rem; background: var(--card);
              box-shadow: 0 1px 2px #0002, 0 8px 32px #0001; text-align: center }
            svg { color: var(--accent) }
            h1 { margin: 1rem 0 .5rem; font-size: 1.375rem; line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere }
            p { margin: 0 0 1.5rem; color: var(--soft) }
            main > p:last-child { margin-bottom: 0 }
            form { display: grid; gap: .75rem }
            label { display: block; text-align: start; font-weight: 600 }
            input { width: 100%; min-height: 3.5rem; margin: .25rem 0 0; padding: 0 1rem; border: 2px solid var(--soft);
              border-radius: .75rem; background: var(--card); color: var(--ink); font: inherit; font-size: 1.25rem }
            button { width: 100%; min-height: 3rem; padding: .75rem 1rem; border: 2px solid transparent; border-radius: .75rem;
              background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
            button.plain { display: flex; justify-content: space-between; gap: 1rem; border-color: var(--line);
              background: transparent; color: var(--ink); text-align: start }
            button.plain:hover { border-color: var(--accent) }
            button.plain span { color: var(--soft); font-weight: 400 }
            button.quiet { border-color: var(--line); background: transparent; color: var(--fault) }
            button:focus-visible, input:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px }
            .fault { padding: .75rem 1rem; border-radius: .75rem; background: var(--fault-tint); color: var(--fault);
              font-weight: 600; text-align: start }
            .badge { display: inline-block; padding: .0625rem .625rem; border: 1px solid var(--line); border-radius: 1rem;
              color: var(--soft); font-size: .875rem; font-weight: 600 }
            """

    /// A page with one card: it has no script and loads nothing.
    ///
    /// - Parameters:
    ///   - title: The title, as plain text.
    ///   - badge: The words that tell a page of a test tool from a real one, as plain text.
    ///   - content: Markup whose texts are escaped.
    ///   - status: The status of the answer.
    /// - Returns: The answer.
    package static func page(
        title: String,
        badge: String,
        content: String,
        _ status: HTTPResponse.Status = .ok
    ) -> MockReply {
        var reply = MockReply.html(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex, nofollow">
            <title>\(Markup.escape(title))</title>
            <link rel="icon" href="data:,">
            <style>\(sheet)</style>
            </head>
            <body><main>
            <svg aria-hidden="true" viewBox="0 0 48 48" width="48" height="48">\(mark)</svg>
            <div><span class="badge">\(Markup.escape(badge))</span></div>
            \(content)
            </main></body>
            </html>

            """,
            status
        )
        reply.contentSecurityPolicy = policy
        return reply
    }

    /// Has no form-action: browsers would apply it to the redirect back to the client as well (CSP Level 3 §6.4.1).
    private static let policy =
        "default-src 'none'; style-src 'sha256-\(hash)'; img-src data:; frame-ancestors 'none'; base-uri 'none'"

    private static let hash = Data(SHA256.hash(data: Data(sheet.utf8))).base64EncodedString()
}
