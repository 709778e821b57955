import Kernel
import Wallet

/// What requests say of payments, checked.
enum PaymentInput {
    /// One that can't be read is one that there is not.
    static func id(_ text: String) throws(APIError) -> PaymentID {
        guard let id = PaymentID(parsing: text) else { throw .paymentNotFound }
        return id
    }

    /// `nil`: the default card.
    static func card(_ text: String?) throws(APIError) -> CardID? {
        guard let text else { return nil }
        guard let id = CardID(parsing: text) else { throw .cardNotFound }
        return id
    }

    static func money(_ asked: InitiatePaymentRequest) throws(APIError) -> Money {
        guard let money = Money(value: asked.amount, currency: asked.currency) else { throw .invalidAmount }
        return money
    }

    /// By either member; both may be there if they say the same.
    static func merchant(_ asked: InitiatePaymentRequest) throws(APIError) -> Merchant {
        guard let name = asked.merchant?.name ?? asked.merchantName else { throw .invalidMerchant }
        if let other = asked.merchantName {
            guard other.utf8.elementsEqual(name.utf8) else { throw .invalidMerchant }
        }
        guard let merchant = Merchant(name: name, id: asked.merchant?.id) else { throw .invalidMerchant }
        return merchant
    }

    /// The header's, or the member's; in the header it may stand in the quotes of a structured field (RFC 9651 §3.3.3), as
    /// draft-ietf-httpapi-idempotency-key-header wants it.
    static func idempotencyKey(_ member: String?, header: String?) throws(APIError) -> String? {
        let bare = header.map(unquoted)
        if let member, let bare, member != bare {
            throw .invalidRequest("“idempotencyKey” and the header Idempotency-Key are different keys.")
        }
        guard let key = bare ?? member else { return nil }
        guard PaymentDraft.isIdempotencyKey(key) else {
            throw .invalidRequest("An idempotency key has 1 to 255 printable characters of ASCII.")
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
