package import Kernel
package import Wallet

/// Payments to fill stores with.
package enum PaymentSample {
    package static let now = Instant(milliseconds: 1_800_000_000_123)

    /// A card's label.
    package static let label = CardLabel(lastFour: "4242", cardType: "VISA", bankName: "Ant Bank")

    /// Returns a payment with that number, for that account.
    package static func payment(
        _ number: UInt64,
        of account: AccountID,
        money: (value: String, currency: String) = ("12.50", "EUR"),
        merchant: (name: String, id: String?) = ("Möbel & Söhne", "shop-7"),
        key: UInt8? = nil,
        state: PaymentState = .pending,
        wrongProofs: Int = 0,
        version: Int64 = 1,
        createdAt: Instant = PaymentSample.now,
        lasting: Duration = .seconds(300)
    ) -> Payment {
        guard let money = Money(value: money.value, currency: money.currency),
            let merchant = Merchant(name: merchant.name, id: merchant.id)
        else { preconditionFailure("no sample of a payment") }
        return Payment(
            id: PaymentID(UUIDBits(high: 0xA1, low: number)),
            payer: Payment.Payer(
                account: account,
                session: SessionID(UUIDBits(high: 0xB1, low: number)),
                client: "wallet-app"
            ),
            contents: Payment.Contents(
                card: CardID(UUIDBits(high: 0xC1, low: number)),
                label: label,
                money: money,
                merchant: merchant,
                nonce: digest(1, UInt8(truncatingIfNeeded: number))
            ),
            validity: ValidityPeriod(createdAt: createdAt, expiresAt: createdAt + lasting),
            idempotency: key.map { PaymentIdempotency(key: digest(2, $0), content: digest(3, $0)) },
            state: state,
            wrongProofs: wrongProofs,
            version: version
        )
    }

    package static func confirmation(
        _ number: UInt8,
        by method: PaymentMethod = .deviceKey,
        redeemedAt: Instant? = nil
    ) -> Confirmation {
        Confirmation(
            at: now + .milliseconds(7),
            session: SessionID(UUIDBits(high: 0xD1, low: UInt64(number))),
            method: method,
            tokenDigest: digest(4, number),
            tokenExpiresAt: now + .seconds(120),
            redeemedAt: redeemedAt
        )
    }

    /// One of each.
    package static let everyState: [PaymentState] =
        [.pending, .cancelled(at: now + .seconds(3)), .expired]
        + PaymentMethod.allCases.enumerated().map { .confirmed(confirmation(UInt8($0.offset), by: $0.element)) }
        + [.confirmed(confirmation(9, redeemedAt: now + .seconds(8)))]

    package static func digest(_ label: UInt8, _ number: UInt8) -> Digest256 {
        Digest256([label, number] + [UInt8](repeating: 0x5A, count: 30)) ?? .zero
    }
}

extension Payment {
    /// Returns the same in that state, with the next version.
    package func like(_ state: PaymentState, wrongProofs: Int? = nil) -> Payment {
        Payment(
            id: id,
            payer: payer,
            contents: contents,
            validity: validity,
            idempotency: idempotency,
            state: state,
            wrongProofs: wrongProofs ?? self.wrongProofs,
            version: version + 1
        )
    }
}
