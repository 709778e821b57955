import Kernel
import Wallet

/// Validates the members of requests about payments.
enum PaymentInput {
    /// Reads a payment's id; an unreadable one is treated as unknown.
    static func id(_ text: String) throws(APIError) -> PaymentID {
        guard let id = PaymentID(parsing: text) else { throw .paymentNotFound }
        return id
    }

    /// Reads a card's id; `nil` means the default card.
    static func card(_ text: String?) throws(APIError) -> CardID? {
        guard let text else { return nil }
        guard let id = CardID(parsing: text) else { throw .cardNotFound }
        return id
    }

    static func money(_ asked: InitiatePaymentRequest) throws(APIError) -> Money {
        guard let money = Money(value: asked.amount, currency: asked.currency) else { throw .invalidAmount }
        return money
    }

    /// Reads the payee from either member; if both are present, their names have to be equal.
    static func merchant(_ asked: InitiatePaymentRequest) throws(APIError) -> Merchant {
        guard let name = asked.merchant?.name ?? asked.merchantName else { throw .invalidMerchant }
        if let other = asked.merchantName {
            guard other.utf8.elementsEqual(name.utf8) else { throw .invalidMerchant }
        }
        guard let merchant = Merchant(name: name, id: asked.merchant?.id) else { throw .invalidMerchant }
        return merchant
    }

    /// Returns the idempotency key of the header or of the body's member.
    ///
    /// The header may contain it in quotes, as a structured field (RFC 9651 §3.3.3,
    /// draft-ietf-httpapi-idempotency-key-header).
    static func idempotencyKey(_ member: String?, header: String?) throws(APIError) -> String? {
        let bare = header.map(unquoted)
        if let member, let bare, member != bare {
            throw .invalidRequest("“idempotencyKey” and the header Idempotency-Key are different keys.")
        }
        guard let key = bare ?? member else { return nil }
        guard PaymentDraft.isIdempotencyKey(key) else {
            throw .invalidRequest("An idempotency key must have 1 to 255 printable ASCII characters.")
        }
        return key
    }

    static func limit(_ text: String) throws(APIError) -> Int {
        guard let limit = Int(text), (1...PaymentPolicy.mostListed).contains(limit) else { throw .invalidLimit }
        return limit
    }

    private static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast())
    }
}
