package import Kernel

/// A card in somebody's wallet.
package struct CardID: EntityID {
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}

/// A payment, whatever became of it.
package struct PaymentID: EntityID {
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}
