package import Kernel

/// A payment that a signed-in app asks for.
package struct PaymentDraft: Sendable, Equatable {
    package let account: AccountID
    package let session: SessionID
    /// The client of the session.
    package let client: String
    /// `nil`: the default card.
    package let card: CardID?
    package let money: Money
    package let merchant: Merchant
    /// See ``isIdempotencyKey(_:)``.
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

    /// Whether a key can be one: 1 to 255 bytes of printable ASCII.
    package static func isIdempotencyKey(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// What its key is kept as, with what it asks for; a request that names no card asks for whichever is the default.
    var idempotency: PaymentIdempotency? {
        idempotencyKey.map { key in
            let content = [
                card?.description ?? "", money.value, money.currency, merchant.name, merchant.id ?? "",
            ]
            return PaymentIdempotency(
                // A length before each part: neither the client nor the key can shift the border between them.
                key: Digest256(sha256: "\(client.utf8.count):\(client)\(key.utf8.count):\(key)"),
                content: Digest256(sha256: content.joined(separator: "\n"))
            )
        }
    }
}
