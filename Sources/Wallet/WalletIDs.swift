package import Kernel

/// The id of a card in a wallet.
package struct CardID: EntityID {
    package static let kind = IDKind.card
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}

/// The id of a payment.
package struct PaymentID: EntityID {
    package static let kind = IDKind.payment
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}
