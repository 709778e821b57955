package import Kernel

/// The id of a card in a wallet.
package struct CardID: EntityID {
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}

/// The id of a payment.
package struct PaymentID: EntityID {
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}
