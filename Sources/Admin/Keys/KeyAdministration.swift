package import Tokens

/// The administration of signing keys.
package struct KeyAdministration: Sendable {
    let ring: KeyRing
    /// Writes key changes to the audit.
    ///
    /// A change that can't be written is kept for later, because the key has changed already.
    package var record: @Sendable () async -> Void

    package init(ring: KeyRing, record: @escaping @Sendable () async -> Void) {
        self.ring = ring
        self.record = record
    }
}
