import HTTPTypes
import MockServing

/// The bank's page, which has no script and loads nothing.
enum BankPage {
    /// Returns the page to choose a customer; its form posts to the page's own address, with the whole request.
    static func customers(_ customers: [BankCustomer], bank: String) -> MockReply {
        let choices = customers.map { customer in
            let count =
                switch customer.cards.count {
                case 0: "no cards"
                case 1: "1 card"
                case let several: "\(several) cards"
                }
            return #"<button name="customer" value="\#(Markup.escape(customer.id))">"#
                + "<b>\(Markup.escape(customer.name))</b><span>\(count)</span></button>"
        }.joined(separator: "\n")
        return page(
            bank: bank,
            """
            <h1>\(Markup.escape(bank))</h1>
            <p>A wallet asks to see your cards. Who are you?</p>
            <form method="post">
            \(choices)
            <button class="quiet" name="cancel" value="1">Cancel</button>
            </form>
            """
        )
    }

    /// Returns the page for a request without a valid redirect.
    static func unknown(bank: String) -> MockReply {
        page(bank: bank, "<h1>\(Markup.escape(bank))</h1>\n<p>Unknown client or redirect URI.</p>", .badRequest)
    }

    private static func page(bank: String, _ content: String, _ status: HTTPResponse.Status = .ok) -> MockReply {
        var reply = MockReply.html(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(Markup.escape(bank))</title>
            <style>\(style)</style>
            </head>
            <body><main>
            \(content)
            </main></body>
            </html>

            """,
            status
        )
        // No form-action: browsers would apply it to the redirect back to the wallet as well.
        reply.contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        return reply
    }

    private static let style = """
        :root { color-scheme: light dark; --ground: #f4f5f7; --card: #fff; --ink: #16202c; --soft: #4c5a69;
          --line: #c5ccd5; --mark: #0b57a4 }
        @media (prefers-color-scheme: dark) {
          :root { --ground: #12171d; --card: #1c242d; --ink: #eef2f6; --soft: #a8b4c0; --line: #3b4753; --mark: #8ec2f7 }
        }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
        main { max-width: 26rem; margin: 0 auto; padding: 2rem 1rem }
        h1 { font-size: 1.5rem; margin: 0 0 .5rem }
        p { color: var(--soft); margin: 0 0 1.5rem }
        form { display: grid; gap: .75rem }
        button { display: flex; justify-content: space-between; align-items: center; width: 100%; min-height: 3.25rem;
          padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card);
          color: inherit; font: inherit; text-align: start; cursor: pointer }
        button:hover { border-color: var(--mark) }
        button:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px }
        button span { color: var(--soft) }
        .quiet { justify-content: center; border-color: transparent; background: none; color: var(--mark) }
        """
}
