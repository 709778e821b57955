package import Kernel

/// A device whose key can confirm a payment: that of the paying session.
package struct PaymentSigner: Sendable, Equatable {
    package let device: DeviceID
    /// The id that the client gave the device: wrong answers are counted by it, as those of sign-ins are.
    package let name: String
    let account: AccountID
    let key: DeviceKey

    /// Whether the key signed that text, in UTF-8.
    ///
    /// The text is a payment's own, and no other use of a key begins with its first line. A sign-in's challenge is not
    /// such a text, and only ``DeviceKeyService/check(_:)`` checks it.
    package func agrees(_ signature: [UInt8], to text: String) -> Bool {
        key.verifies(signature, over: Array(text.utf8))
    }
}
