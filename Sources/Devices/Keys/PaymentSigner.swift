package import Kernel

/// A device whose key can agree to a payment: that of the session which pays.
package struct PaymentSigner: Sendable, Equatable {
    package let device: DeviceID
    /// The id that the client gave it: wrong answers are counted by it, as those of sign-ins are.
    package let name: String
    let account: AccountID
    let key: DeviceKey

    /// Whether the key signed that text, in UTF-8.
    ///
    /// The text is a payment's own, whose first line no other use of a key begins with. A sign-in's challenge is no such
    /// text, and is looked at by ``DeviceKeyService/check(_:)`` alone.
    package func agrees(_ signature: [UInt8], to text: String) -> Bool {
        key.verifies(signature, over: Array(text.utf8))
    }
}
