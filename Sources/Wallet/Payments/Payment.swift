package import Kernel

/// A payment that a person is asked to confirm.
///
/// Its contents are fixed when it begins: no ``PaymentEvent`` and no SQL statement changes them. A person confirms
/// ``hash``, so a signature over one payment is invalid for another. RTS (EU) 2018/389 Art. 5 requires it: the code is
/// specific to the amount and the payee, and any change makes it invalid.
package struct Payment: Sendable, Equatable {
    package let id: PaymentID
    package let payer: Payer
    package let contents: Contents
    package let validity: ValidityPeriod
    package let idempotency: PaymentIdempotency?
    package private(set) var state: PaymentState
    /// The number of failed proofs: see ``PaymentMachine/mostWrongProofs``.
    package private(set) var wrongProofs: Int
    /// The version for compare-and-swap, which every change raises by one.
    package private(set) var version: Int64

    package init(
        id: PaymentID,
        payer: Payer,
        contents: Contents,
        validity: ValidityPeriod,
        idempotency: PaymentIdempotency? = nil,
        state: PaymentState = .pending,
        wrongProofs: Int = 0,
        version: Int64 = 1
    ) {
        self.id = id
        self.payer = payer
        self.contents = contents
        self.validity = validity
        self.idempotency = idempotency
        self.state = state
        self.wrongProofs = wrongProofs
        self.version = version
    }

    /// The account that pays, with the session and the client that began the payment.
    package struct Payer: Sendable, Equatable {
        package let account: AccountID
        /// The session that began the payment; any session of the account may confirm it.
        package let session: SessionID
        /// The client of that session.
        package let client: String

        package init(account: AccountID, session: SessionID, client: String) {
            self.account = account
            self.session = session
            self.client = client
        }
    }

    /// The confirmed contents: the amount, the payee and the card.
    package struct Contents: Sendable, Equatable {
        package let card: CardID
        /// The card as it was shown when the payment began, since the card may be removed later.
        package let label: CardLabel
        package let money: Money
        package let merchant: Merchant
        /// The 32 random bytes that give equal payments different hashes.
        package let nonce: Digest256

        package init(card: CardID, label: CardLabel, money: Money, merchant: Merchant, nonce: Digest256) {
            self.card = card
            self.label = label
            self.money = money
            self.merchant = merchant
            self.nonce = nonce
        }
    }

    /// SHA-256 of the payment's ids, contents and expiry, one on each line.
    ///
    /// No part can have a line break (``ShownText``, ``Money``, ids), so two payments never have the same lines.
    package var hash: Digest256 {
        let lines = [
            Self.prefix, id.description, payer.account.description, contents.card.description, contents.money.value,
            contents.money.currency, contents.merchant.name, contents.merchant.id ?? "",
            Base64URL.encode(contents.nonce.bytes), String(validity.expiresAt.milliseconds),
        ]
        return Digest256(sha256: lines.joined(separator: "\n"))
    }

    /// The ``hash`` in base64url, which every proof signs.
    package var challenge: String { Base64URL.encode(hash.bytes) }

    /// The text that a device's key signs, in UTF-8: the shown contents, and the challenge.
    ///
    /// The first line and the length differ from those of every sign-in challenge.
    package var textToSign: String {
        [Self.prefix, id.description, contents.money.text, contents.merchant.name, challenge].joined(separator: "\n")
    }

    /// Whether the payment has the values that an app showed to the person; a value of `nil` is not compared.
    package func isFor(value: String?, currency: String?, merchantName: String?) -> Bool {
        // The comparison is by bytes: in Unicode the Kelvin sign equals a K.
        let (money, merchant) = (contents.money, contents.merchant)
        let pairs = [(value, money.value), (currency, money.currency), (merchantName, merchant.name)]
        return pairs.allSatisfy { told, own in told.map { $0.utf8.elementsEqual(own.utf8) } ?? true }
    }

    /// Returns the payment after a change.
    func advanced(to state: PaymentState, wrongProofs: Int) -> Payment {
        var payment = self
        payment.state = state
        payment.wrongProofs = wrongProofs
        payment.version += 1
        return payment
    }

    /// The first line of all signed texts about payments.
    private static let prefix = "vestibule-payment-v1"
}

/// The part of a card that people are shown.
package struct CardLabel: Sendable, Equatable {
    /// The card number's last four digits, the only stored part of it.
    package let lastFour: String
    /// The card scheme, such as `VISA`.
    package let cardType: String
    package let bankName: String

    package init(lastFour: String, cardType: String, bankName: String) {
        self.lastFour = lastFour
        self.cardType = cardType
        self.bankName = bankName
    }
}

/// The key and content by which a repeated request is recognised.
package struct PaymentIdempotency: Sendable, Equatable {
    /// SHA-256 of the client and its idempotency key; keys are separate per client and account.
    package let key: Digest256
    /// SHA-256 of the request's content.
    package let content: Digest256

    package init(key: Digest256, content: Digest256) {
        self.key = key
        self.content = content
    }
}
