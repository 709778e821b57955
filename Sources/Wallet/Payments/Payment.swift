package import Kernel

/// A payment that somebody is asked to confirm, or was.
///
/// What it is about is fixed when it begins: no event of the machine changes it, and no statement of the store does. What
/// a person confirms is ``hash``, so that a signature over one payment is worth nothing for another (RTS (EU) 2018/389
/// Art. 5: the code is specific to the amount and the payee, and any change makes it invalid).
package struct Payment: Sendable, Equatable {
    package let id: PaymentID
    package let account: AccountID
    /// The session that began it; any session of the account may confirm it.
    package let session: SessionID
    /// The client of that session.
    package let client: String
    package let card: CardID
    /// The card as it was then: a payment is still shown when its card is gone.
    package let label: CardLabel
    package let money: Money
    package let merchant: Merchant
    /// 32 random bytes, so that two payments alike have two hashes.
    package let nonce: Digest256
    package let createdAt: Instant
    /// It can be confirmed before it, not at it.
    package let expiresAt: Instant
    package let idempotency: PaymentIdempotency?
    package private(set) var state: PaymentState
    /// Proofs that did not hold: see ``PaymentMachine/mostWrongProofs``.
    package private(set) var wrongProofs: Int
    /// Rises by one with every change: what a change is made over.
    package private(set) var version: Int64

    package init(
        id: PaymentID,
        account: AccountID,
        session: SessionID,
        client: String,
        card: CardID,
        label: CardLabel,
        money: Money,
        merchant: Merchant,
        nonce: Digest256,
        createdAt: Instant,
        expiresAt: Instant,
        idempotency: PaymentIdempotency? = nil,
        state: PaymentState = .pending,
        wrongProofs: Int = 0,
        version: Int64 = 1
    ) {
        self.id = id
        self.account = account
        self.session = session
        self.client = client
        self.card = card
        self.label = label
        self.money = money
        self.merchant = merchant
        self.nonce = nonce
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.idempotency = idempotency
        self.state = state
        self.wrongProofs = wrongProofs
        self.version = version
    }

    /// SHA-256 of all that it is about, a line each.
    ///
    /// No part can hold a line break (``ShownText``, ``Money``, ids), so that no two payments have one preimage.
    package var hash: Digest256 {
        let lines = [
            Self.prefix, id.description, account.description, card.description, money.value, money.currency,
            merchant.name, merchant.id ?? "", Base64URL.encode(nonce.bytes), String(expiresAt.milliseconds),
        ]
        return Digest256(sha256: lines.joined(separator: "\n"))
    }

    /// ``hash``, base64url: what stands for the payment in every proof.
    package var challenge: String { Base64URL.encode(hash.bytes) }

    /// What a device's key signs, in UTF-8: what the person is shown, and the challenge.
    ///
    /// No challenge of a sign-in begins like it, and it is none of theirs in length.
    package var textToSign: String {
        [Self.prefix, id.description, money.text, merchant.name, challenge].joined(separator: "\n")
    }

    /// Whether it is for that, as far as it is told: what an app shows a person must be what they confirm.
    package func isFor(value: String?, currency: String?, merchantName: String?) -> Bool {
        // By bytes: Unicode holds the Kelvin sign equal to a K.
        let pairs = [(value, money.value), (currency, money.currency), (merchantName, merchant.name)]
        return pairs.allSatisfy { told, own in told.map { $0.utf8.elementsEqual(own.utf8) } ?? true }
    }

    /// The same after a change.
    func advanced(to state: PaymentState, wrongProofs: Int) -> Payment {
        var payment = self
        payment.state = state
        payment.wrongProofs = wrongProofs
        payment.version += 1
        return payment
    }

    /// Signatures over texts with it are about payments, and about nothing else.
    private static let prefix = "vestibule-payment-v1"
}

/// What is shown of a card.
package struct CardLabel: Sendable, Equatable {
    /// The card number's last four digits.
    package let lastFour: String
    /// The scheme: `VISA`.
    package let cardType: String
    package let bankName: String

    package init(lastFour: String, cardType: String, bankName: String) {
        self.lastFour = lastFour
        self.cardType = cardType
        self.bankName = bankName
    }
}

/// By what a repeated request is known again, and what it was about.
package struct PaymentIdempotency: Sendable, Equatable {
    /// SHA-256 of the client and its key: a key is a client's own, within an account.
    package let key: Digest256
    /// SHA-256 of what was asked for.
    package let content: Digest256

    package init(key: Digest256, content: Digest256) {
        self.key = key
        self.content = content
    }
}
