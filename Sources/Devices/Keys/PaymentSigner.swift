package import Kernel

/// The device of a paying session, whose key can confirm the payment.
package struct PaymentSigner: Sendable, Equatable {
    package let device: DeviceID
    /// The id that the client gave the device, by which wrong answers are counted, as at sign-ins.
    package let name: String
    let account: AccountID
    let key: DeviceKey

    /// Whether the key signed that text, in UTF-8.
    ///
    /// The text is that of one payment, and no other text that a key signs begins with its first line. A sign-in's
    /// challenge is not such a text, and only ``DeviceKeyService/check(_:)`` checks it.
    package func agrees(_ signature: [UInt8], to text: String) -> Bool {
        key.verifies(signature, over: Array(text.utf8))
    }
}
