package import Kernel

/// A key whose possession a request has proved (DPoP, RFC 9449 §4.3), by a proof that is not used up yet.
package struct PresentedKey: Sendable {
    /// The thumbprint of the key.
    package let thumbprint: Digest256
    /// Uses the proof up, in the unit of work that grants something for it.
    ///
    /// A unit calls it once in each of its runs. Later units of the same request may call it again, and count as the
    /// same use. Throws if another request used the proof first.
    package let use: @Sendable (borrowing Transaction) throws -> Void

    package init(thumbprint: Digest256, use: @escaping @Sendable (borrowing Transaction) throws -> Void) {
        self.thumbprint = thumbprint
        self.use = use
    }
}
