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
            return #"<button class="plain" name="customer" value="\#(Markup.escape(customer.id))">"#
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
        MockLook.page(title: bank, badge: "Test bank", content: content, status)
    }
}
