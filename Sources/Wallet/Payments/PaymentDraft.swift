package import Kernel

/// A payment requested by a signed-in app.
package struct PaymentDraft: Sendable, Equatable {
    package let account: AccountID
    package let session: SessionID
    /// The client of the session.
    package let client: String
    /// The card; `nil` for the default one.
    package let card: CardID?
    package let money: Money
    package let merchant: Merchant
    /// The key by which a repeated request is recognised: see ``isIdempotencyKey(_:)``.
    package let idempotencyKey: String?

    package init(
        account: AccountID,
        session: SessionID,
        client: String,
        card: CardID?,
        money: Money,
        merchant: Merchant,
        idempotencyKey: String? = nil
    ) {
        self.account = account
        self.session = session
        self.client = client
        self.card = card
        self.money = money
        self.merchant = merchant
        self.idempotencyKey = idempotencyKey
    }

    /// Whether an idempotency key is valid: 1 to 255 bytes of printable ASCII.
    package static func isIdempotencyKey(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// The stored key and content, which do not depend on which card is the default one.
    var idempotency: PaymentIdempotency? {
        idempotencyKey.map { key in
            let content = [card?.description ?? "", money.value, money.currency, merchant.name, merchant.id ?? ""]
            return PaymentIdempotency(
                // The length before each part prevents a shift of the border between client and key.
                key: Digest256(sha256: "\(client.utf8.count):\(client)\(key.utf8.count):\(key)"),
                content: Digest256(sha256: content.joined(separator: "\n"))
            )
        }
    }
}
